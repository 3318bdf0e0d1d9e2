// What is tried first and must be done, or told as it is: dialogs with a text, editors, dates, lists of
// values, pages that fail. Through the toolkit, on a real Chromium.
import { beforeAll, describe, expect, it } from "vitest";
import { useFlow } from "./flow-setting.js";

const flow = useFlow();
beforeAll(async () => {
  await flow.call({ action: "start" });
});

async function show(html: string): Promise<void> {
  const targetUrl = `data:text/html,${encodeURIComponent(`<!doctype html><title>P</title>${html}`)}`;
  const { text, isError } = await flow.call({ action: "navigate", targetUrl });
  expect(isError, text).toBe(false);
}

async function read(fn: string): Promise<unknown> {
  const { details } = await flow.act({ kind: "evaluate", fn });
  return Reflect.get(Object(details), "result");
}

describe("a prompt", () => {
  const ask = async () => {
    await show(`<button onclick="window.answer = prompt('Name?', 'nobody')">Ask</button>`);
    return flow.act({ kind: "click", ref: await flow.ref("button", "Ask") });
  };

  it("is told with its default, and with the name of what answers it", async () => {
    const { text } = await ask();
    expect(text).toContain("prompt d");
    expect(text).toContain('"Name?", whose default is "nobody"');
    expect(text).toContain("promptText");
    const { text: given } = await flow.call({ action: "dialog", accept: true, text: "Ada" });
    expect(given).toContain("was accepted with text");
    expect(await read("window.answer")).toBe("Ada");
  });

  it("that is accepted without a text gives its default, as OK does", async () => {
    await ask();
    const { text } = await flow.call({ action: "dialog", accept: true });
    expect(text).toContain('with its default "nobody"');
    expect(await read("window.answer")).toBe("nobody");
  });

  it("that is dismissed gives nothing", async () => {
    await ask();
    await flow.call({ action: "dialog", accept: false, text: "Ada" });
    expect(await read("window.answer")).toBe(null);
  });

  it("that waits is told by status and tabs", async () => {
    await ask();
    for (const action of ["status", "tabs"]) {
      expect((await flow.call({ action })).text).toMatch(/waits for an answer to the prompt d\d+/);
    }
    await flow.call({ action: "dialog", accept: false });
    expect((await flow.call({ action: "status" })).text).not.toContain("waits for an answer");
  });
});

describe("fields", () => {
  it("an editor that makes paragraphs of lines holds what was typed", async () => {
    await show(`<div contenteditable aria-label=Editor><p>Old</p></div>`);
    const ref = await flow.ref("textbox", "Editor");
    const { text } = await flow.act({ kind: "type", ref, text: "One\nTwo" });
    expect(text).not.toContain("not what was typed");
    expect(text).toContain("One Two");
    expect((await flow.call({ action: "snapshot" })).text).toContain("One Two");
  });

  it("what an editor makes of it is told when it is another text", async () => {
    await show(`<div contenteditable aria-label=Editor oninput="this.textContent = 'No'"></div>`);
    const ref = await flow.ref("textbox", "Editor");
    const { text } = await flow.act({ kind: "type", ref, text: "One\nTwo" });
    expect(text).toMatch(/holds "No", not what was typed/);
  });

  it.each([
    ["date", "2027-01-05", "2027-01-05"],
    ["time", "14:05", "14:05"],
    ["month", "2027-03", "2027-03"],
    ["range", "70", "70"],
  ])("a %s is set also when it is to be typed slowly", async (type, text, value) => {
    await show(`<label>It <input type=${type}></label>`);
    const ref = /\[ref=(e\d+)\][^\n]*/.exec((await flow.call({ action: "snapshot" })).text)?.[1];
    const { isError } = await flow.act({ kind: "type", ref, text, slowly: true });
    expect(isError).toBe(false);
    expect(await read("document.querySelector('input').value")).toBe(value);
  });

  it("a select of several takes a list in fill", async () => {
    await show(`<label>Colour <select multiple><option>red<option>green<option>blue</select></label>
      <label>Name <input></label>`);
    const ref = await flow.ref("listbox", "Colour");
    const name = await flow.ref("textbox", "Name");
    const fields = [
      { ref, value: ["red", "blue"] },
      { ref: name, value: "Ada" },
    ];
    const { text, isError } = await flow.act({ kind: "fill", fields });
    expect(isError, text).toBe(false);
    const chosen = "[...document.querySelector('select').selectedOptions].map((one) => one.value)";
    expect(await read(chosen)).toEqual(["red", "blue"]);
    const several = await flow.act({ kind: "fill", fields: [{ ref: name, value: ["a", "b"] }] });
    expect(several.isError).toBe(true);
    expect(several.text).toContain("it takes one value");
  });
});

describe("what happened", () => {
  it("keys in a batch tell the focus and the scrolling", async () => {
    await show(`<button>One</button><button>Two</button><div style="height:4000px"></div>`);
    const press = (key: string) => ({ kind: "press", key });
    const actions = [press("Tab"), press("Tab"), press("End")];
    const { text } = await flow.act({ kind: "batch", actions });
    expect(text).toMatch(
      /~ focus: button "One".*\n~ focus: button "Two".*\n~ scrolled to \d{4} of/,
    );
  });

  it("a click that leads to a page of a failure tells what the server answered", async () => {
    await show(`<a href="${flow.server.base}/no/such/page">Away</a>`);
    const { text } = await flow.act({ kind: "click", ref: await flow.ref("link", "Away") });
    expect(text).toContain("! The server answered 404 Not Found.");
  });

  it("an error that nobody caught is told in one line, marked as from outside", async () => {
    await show(`<button onclick="nowhere.at.all()">Go</button>`);
    const { text } = await flow.act({ kind: "click", ref: await flow.ref("button", "Go") });
    const line = "! The page did not catch an error: ReferenceError: nowhere is not defined";
    expect(text.split("<<<END")[0]).toContain(line);
    expect(text).toContain("<<<EXTERNAL_UNTRUSTED_CONTENT");
  });

  it("text with a query shows the lines with these words", async () => {
    await show("<p>Alice lives in Bonn</p><p>Bob lives in Rome</p><p>Nobody</p>");
    const { text } = await flow.call({ action: "text", query: "lives rome" });
    expect(text).toContain("Bob lives in Rome");
    expect(text).not.toContain("Alice");
    expect(text).toContain("1 of 3 lines have these words.");
    const none = await flow.call({ action: "text", query: "zebra" });
    expect(none.text).toContain("No line of the text has these words");
  });
});
