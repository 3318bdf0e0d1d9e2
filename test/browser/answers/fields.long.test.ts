// Fields: what is added to a text, what the browser will refuse, what a select is chosen by, and how
// keys and refs may be written; in a real Chromium.
import { describe, expect, test } from "vitest";
import { useFlow } from "../flows/flow-setting.js";
import { createShow } from "../flows/show-page.js";

const flow = useFlow();
const show = createShow(flow);
const evaluate = async (fn: string) => (await flow.act({ kind: "evaluate", fn })).details;

test("a click on a select says how it is chosen in", async () => {
  const { ref } = await show("<select aria-label=Land><option>Peru<option>Chile</select>");
  const { text, isError } = await flow.act({ kind: "click", ref: ref("combobox", "Land") });
  expect(isError).toBe(false);
  expect(text).toContain("choose with kind select and values");
});

describe("a value that the browser will not send", () => {
  test.each([
    ["<input type=number max=10 aria-label=N>", "spinbutton", "50", /10/],
    ["<input type=number min=3 aria-label=N>", "spinbutton", "1", /3/],
    ["<input type=email aria-label=N>", "textbox", "nobody", /@/],
    ["<input type=date max=2026-01-01 aria-label=N>", "textbox", "2027-01-01", /2026/],
  ])("is told with its words: %s", async (html, role, text, words) => {
    for (const more of [{}, { slowly: true }]) {
      const { ref } = await show(`<form>${html}</form>`);
      const field = ref(role, "N");
      const typed = await flow.act({ kind: "type", ref: field, text, ...more });
      expect(typed.isError, typed.text).toBe(false);
      const [, told = ""] = /\[invalid="(.*?)"\]/.exec(typed.text) ?? [];
      expect(told, typed.text).toMatch(words);
    }
  });

  test("is none while it is valid, or empty", async () => {
    const { ref } = await show("<form><input required type=number max=10 aria-label=N></form>");
    for (const text of ["7", ""]) {
      const typed = await flow.act({ kind: "type", ref: ref("spinbutton", "N"), text });
      expect(typed.text).not.toContain("invalid");
    }
  });
});

describe("a text that is added", () => {
  const READ =
    "(() => { const at = document.querySelector('[aria-label=N]'); return at.value ?? at.innerText })()";
  test.each([
    ["<input aria-label=N value=one>", "textbox", "one two"],
    ["<input type=email aria-label=N value=one>", "textbox", "one two"],
    ["<input type=number aria-label=N value=12>", "spinbutton", "1234"],
    ["<textarea aria-label=N>zero\none</textarea>", "textbox", "zero\none two"],
    [
      "<div contenteditable role=textbox aria-label=N><p>zero</p><p>one</p></div><p>After</p>",
      "textbox",
      "zero\n\none two",
    ],
  ])("stands behind what is there: %s", async (html, role, whole) => {
    const text = role === "spinbutton" ? "34" : html.includes("email") ? "two" : " two";
    for (const more of [{ append: true }, { clear: false }, { append: true, slowly: true }]) {
      const { ref } = await show(html);
      const typed = await flow.act({ kind: "type", ref: ref(role, "N"), text, ...more });
      expect(typed.isError, typed.text).toBe(false);
      expect(typed.text).not.toContain("not what was typed");
      const wanted = html.includes("email") ? "onetwo" : whole;
      expect(await evaluate(READ)).toMatchObject({ result: wanted });
    }
    const { ref } = await show(html);
    const plain = role === "spinbutton" ? "5" : "new";
    await flow.act({ kind: "type", ref: ref(role, "N"), text: plain });
    expect(await evaluate(READ)).toMatchObject({
      result: expect.stringMatching(new RegExp(`^${plain}\\s*$`)),
    });
  });

  test("is none where a value is set whole", async () => {
    const { ref } = await show("<input type=date aria-label=N>");
    const act = { kind: "type", ref: ref("textbox", "N"), text: "2026-01-01", append: true };
    const { isError, text } = await flow.act(act);
    expect(isError).toBe(true);
    expect(text).toContain("it takes a whole value");
  });
});

describe("a list where one thing is meant", () => {
  const PAGE =
    "<input aria-label=N onkeydown='o.textContent += event.key + (event.ctrlKey ? 1 : 0)'><p id=o role=status></p>";

  test.each([
    [{ kind: "press", keys: ["Enter"] }, "Enter0"],
    [{ kind: "press", key: ["Enter"] }, "Enter0"],
    [{ request: { kind: "press", keys: ["Enter"] } }, "Enter0"],
    [{ request: { kind: "press", keys: ["Ctrl", "b"] } }, "b1"],
    [{ action: "press", keys: '["Control","b"]' }, "b1"],
  ])("is understood: %j", async (call, pressed) => {
    const { ref } = await show(PAGE);
    await flow.act({ kind: "click", ref: ref("textbox", "N") });
    const { text, isError } = await flow.act(call);
    expect(isError, text).toBe(false);
    expect(text).toContain(pressed);
  });

  test("is understood as a ref, and several are refused", async () => {
    const { ref } = await show(PAGE);
    const field = ref("textbox", "N");
    for (const call of [
      { kind: "click", ref: [field] },
      { request: { kind: "click", ref: [field] } },
    ]) {
      const { text, isError } = await flow.act(call);
      expect(isError, text).toBe(false);
    }
    for (const call of [
      { kind: "click", ref: [field, "e1"] },
      { kind: "press", keys: ["Enter", "Tab"] },
      { request: { kind: "press", keys: ["Enter", "Tab"] } },
      { request: { kind: "click", ref: [field, "e1"] } },
    ]) {
      const { text, isError } = await flow.act(call);
      expect(isError).toBe(true);
      expect(text).toMatch(/array of 2 items|for several in a row send kind batch|must be a ref/);
    }
  });
});
