// Every kind of input: filled by one call, sent, and compared with what the form says it sends.
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { useFlow } from "./flow-setting.js";
import { createSeenPage } from "./seen-page.js";

const flow = useFlow();
beforeAll(async () => {
  await flow.call({ action: "start" });
});

/** Role, name, what is filled in, and the pair that the form sends. */
const FIELDS: readonly (readonly [string, string, string | number | boolean, string, string])[] = [
  ["textbox", "Text", "words", "text", "words"],
  ["textbox", "E-mail", "ada@example.org", "email", "ada@example.org"],
  ["textbox", "Password", "s3cret", "password", "s3cret"],
  ["searchbox", "Search", "tea", "search", "tea"],
  ["textbox", "Telephone", "0123", "tel", "0123"],
  ["textbox", "Address", "http://example.org/", "url", "http://example.org/"],
  ["spinbutton", "Age", 36, "number", "36"],
  ["slider", "Volume", 7, "range", "7"],
  ["textbox", "Date", "2027-03-16", "date", "2027-03-16"],
  ["textbox", "Time", "14:30", "time", "14:30"],
  ["textbox", "Moment", "2027-03-16T14:30", "moment", "2027-03-16T14:30"],
  ["textbox", "Month", "2027-03", "month", "2027-03"],
  ["textbox", "Week", "2027-W11", "week", "2027-W11"],
  ["textbox", "Colour", "#ff0000", "colour", "#ff0000"],
  ["checkbox", "Newsletter", true, "news", "on"],
  ["radio", "Large", true, "size", "l"],
  ["combobox", "Country", "Japan", "country", "jp"],
  ["combobox", "Town", "Prague", "town", "Prague"],
  ["textbox", "Notes", "one\ntwo", "notes", "one\ntwo"],
];

describe("a form of every input type", () => {
  let page = createSeenPage();
  beforeEach(async () => {
    await flow.open("/all-inputs");
    page = createSeenPage();
    page.replace((await flow.call({ action: "snapshot" })).text);
  });

  const refOf = (name: string): string => {
    const found = page.elements.find((one) => one.name === name && one.ref !== undefined);
    if (found?.ref === undefined) throw new Error(`No "${name}" among:\n${listing()}`);
    return found.ref;
  };
  const listing = () => page.elements.map(({ line }) => line).join("\n");
  const sent = async (): Promise<Map<string, string>> => {
    await flow.act({ kind: "click", ref: refOf("Send") });
    const fn = "document.querySelector('#sent').textContent";
    const { text } = await flow.act({ kind: "evaluate", fn });
    // The text of the answer holds the JSON text of the page, as JSON once more.
    const json = /"(\[\[.*\]\])"/.exec(text)?.[1] ?? "[]";
    return new Map(JSON.parse(JSON.parse(`"${json}"`)));
  };

  test("is listed with the role and name of each field", () => {
    const listed = page.elements.map(({ role, name }) => `${role} ${name}`);
    expect(listed).toEqual(expect.arrayContaining(FIELDS.map(([role, name]) => `${role} ${name}`)));
  });

  test("is filled by one call and sends what was filled in", async () => {
    const fields = FIELDS.map(([, name, value]) => ({ ref: refOf(name), value }));
    const filled = await flow.act({ kind: "fill", fields });
    expect(filled).toMatchObject({ isError: false });
    const pairs = await sent();
    expect(FIELDS.map(([, , , key]) => [key, pairs.get(key)])).toEqual(
      FIELDS.map(([, , , key, value]) => [key, value]),
    );
  });

  test("unticks a box and takes several options", async () => {
    await flow.act({ kind: "fill", fields: [{ ref: refOf("E-mail"), value: "a@b.org" }] });
    await flow.act({ kind: "fill", fields: [{ ref: refOf("Terms"), value: false }] });
    await flow.act({ kind: "select", ref: refOf("Toppings"), values: ["Cheese", "Ham"] });
    const pairs = await sent();
    expect(pairs.has("terms")).toBe(false);
    expect(pairs.get("toppings")).toBe("Ham");
  });

  test("takes a file from the root, and none from elsewhere", async () => {
    const inputRef = refOf("File");
    const paths = [join(flow.root, "notes.txt")];
    const good = await flow.call({ action: "upload", inputRef, paths });
    expect(good.isError).toBe(false);
    const bad = await flow.call({ action: "upload", inputRef, paths: ["/etc/hostname"] });
    expect(bad.isError).toBe(true);
    expect(bad.text).toContain("/etc/hostname");
  });

  test("does not show what stands in a password field", () => {
    const line = page.elements.find(({ name }) => name === "Password")?.line ?? "";
    expect(line).toContain("••••••");
    expect(listing()).not.toContain("secret");
  });

  test("refuses what cannot be filled, with the reason", async () => {
    const fields = [{ ref: refOf("Inside"), value: "x" }];
    const closed = await flow.act({ kind: "fill", fields });
    expect(closed.isError).toBe(true);
    expect(closed.text).toMatch(/disabled/);
  });
});

describe("a form that the browser does not send", () => {
  const form = (more = "") =>
    `data:text/html,${encodeURIComponent(`<form action="about:blank" ${more}><label>E-mail <input type=email required></label>
    <button>Send</button></form><button>Other</button>`)}`;
  const open = (targetUrl: string) => flow.call({ action: "navigate", targetUrl });
  const NOT_SENT = /The browser finds the field "E-mail" not valid, so its form is not sent: "\S+/;

  test("is told by its field and the words of the browser, clicked or sent by Enter", async () => {
    await open(form());
    const send = await flow.ref("button", "Send");
    const first = await flow.act({ kind: "click", ref: send });
    expect(first.text).toMatch(NOT_SENT);
    const again = await flow.act({ kind: "click", ref: send });
    expect(again.text).toMatch(NOT_SENT);
    const ref = await flow.ref("textbox", "E-mail");
    const typed = await flow.act({ kind: "type", ref, text: "no address", submit: true });
    expect(typed.text).toMatch(NOT_SENT);
  });

  test("is not told of where it does not hold", async () => {
    await open(form());
    const other = await flow.act({ kind: "click", ref: await flow.ref("button", "Other") });
    expect(other.text).not.toMatch(/not valid/);
    await open(form("novalidate onsubmit='return false'"));
    const free = await flow.act({ kind: "click", ref: await flow.ref("button", "Send") });
    expect(free.text).not.toMatch(/not valid/);
  });
});
