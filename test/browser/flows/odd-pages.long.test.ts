// Pages that make trouble, through the tool: frames, shadow roots, dialogs, pop-ups, downloads, lists
// without end, pages that never load, never stop or hang.
import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { useFlow } from "./flow-setting.js";

/** Every answer about a page in trouble comes within this. */
const SOON_MS = 10_000;

const flow = useFlow();
beforeAll(async () => {
  await flow.call({ action: "start" });
});

const click = async (role: string, name: string | RegExp) =>
  flow.act({ kind: "click", ref: await flow.ref(role, name) });

describe("frames and shadow roots", () => {
  test("a button in a frame of any origin is pressed", async () => {
    await flow.open("/frames");
    for (const words of ["Same", "Foreign", "Local", "Deep", "Sandboxed"]) {
      expect((await click("button", `Press ${words}`)).text).toContain(`${words} pressed`);
    }
  });

  test("an old ref into a frame that was loaded anew is refused", async () => {
    await flow.open("/frames");
    const old = await flow.ref("button", "Press Same");
    await click("button", "Reload the first frame");
    const refused = await flow.act({ kind: "click", ref: old });
    expect(refused.isError).toBe(true);
    expect((await click("button", "Press Other")).text).toContain("Other pressed");
  });

  test("a button in an open shadow root is pressed", async () => {
    await flow.open("/shadow");
    expect((await click("button", "In the open root")).text).toContain("Open root pressed");
    expect((await click("button", "Slotted button")).text).toContain("Slotted pressed");
    expect((await click("button", "Two roots deep")).text).toContain("Deep root pressed");
  });
});

describe("dialogs and windows", () => {
  test("a confirm is told at once and answered by dialog", async () => {
    await flow.open("/dialogs");
    const asked = await click("button", "Confirm");
    expect(asked.text).toContain("Are you sure?");
    const other = await flow.call({ action: "snapshot" });
    expect(other.text).toContain("Are you sure?");
    const answered = await flow.call({ action: "dialog", accept: true });
    expect(answered).toMatchObject({ isError: false });
    expect((await flow.call({ action: "snapshot" })).text).toContain("Confirmed");
  });

  test("a prompt takes a text", async () => {
    await flow.open("/dialogs");
    await click("button", "Prompt");
    await flow.call({ action: "dialog", accept: true, promptText: "Ada" });
    expect((await flow.call({ action: "snapshot" })).text).toContain("Name: Ada");
  });

  test("an alert does not stop the work and is told", async () => {
    await flow.open("/dialogs");
    const told = await click("button", "Alert");
    expect(told.text).toContain("Just so you know");
    expect((await flow.call({ action: "snapshot" })).text).toContain("Alert is gone");
  });

  test("a page that guards its leaving is left all the same", async () => {
    await flow.open("/dialogs");
    await click("button", "Guard leaving");
    const left = await flow.open("/inner");
    expect(left).toMatchObject({ isError: false });
    expect(left.text).toContain("Press Inner");
  });

  test("a modal dialog of the page is used like the page", async () => {
    await flow.open("/dialogs");
    await click("button", "Modal");
    expect((await click("button", "Keep")).text).toContain("Modal closed: ok");
  });

  test("a window that a page opens becomes a tab and is named in the answer", async () => {
    await flow.open("/popups");
    const opened = await click("link", "Open a tab");
    const tab = /\bt\d+\b/.exec(opened.text.replace(/^t\d+ .*/, ""))?.[0] ?? "";
    const { text } = await flow.call({ action: "snapshot", targetId: tab });
    expect(text).toContain("Press Blank");
    await flow.call({ action: "close", targetId: tab });
  });
});

describe("files", () => {
  test.each([
    ["link", "Report", "report.csv", "day,sum\n1,20\n2,22\n"],
    ["button", "Make a file", "made.txt", "made in the page"],
    ["link", "From data", "data.txt", "from a data address"],
  ])("a download by %s %s is saved", async (role, name, file, content) => {
    await flow.open("/downloads");
    const ref = await flow.ref(role, name);
    const { text, isError, details } = await flow.call({ action: "download", ref });
    expect([isError, text]).toEqual([false, expect.stringContaining(file)]);
    expect(await readFile(pathIn(details), "utf8")).toBe(content);
  });

  test("the name that a server gives cannot lead out of the folder", async () => {
    await flow.open("/downloads");
    const ref = await flow.ref("link", "Badly named");
    const { details } = await flow.call({ action: "download", ref });
    const path = pathIn(details);
    expect(path.startsWith(flow.root)).toBe(true);
    expect(path).toMatch(/evil\.txt$/);
  });
});

describe("lists and texts", () => {
  test("a list without end grows when its end is scrolled to", async () => {
    await flow.open("/infinite");
    const ref = await flow.ref("link", "Entry 20");
    await flow.act({ kind: "scrollIntoView", ref });
    await flow.act({ kind: "wait", text: "Entry 40" });
    expect(await flow.ref("link", "Entry 40")).toMatch(/^e\d+$/);
  });

  test("a row of a virtual list whose node was used again is refused", async () => {
    await flow.open("/virtual");
    const old = await flow.ref("button", "Row 3");
    await flow.act({ kind: "evaluate", fn: "document.querySelector('#box').scrollTop = 3000" });
    await flow.act({ kind: "wait", text: "Row 103" });
    const refused = await flow.act({ kind: "click", ref: old });
    expect(refused.isError).toBe(true);
    expect((await click("button", "Row 103")).text).toContain("Chosen: Row 103");
  });

  test("a page from right to left is read and filled", async () => {
    await flow.open("/right-to-left");
    await flow.act({ kind: "type", ref: await flow.ref("textbox", "الاسم"), text: "ليلى" });
    expect((await click("button", "إرسال")).text).toContain("أهلا ليلى");
  });

  test("five megabytes of text leave the buttons in sight", async () => {
    await flow.open("/huge-text");
    const { text } = await flow.call({ action: "snapshot" });
    expect(text).toContain("First button");
    expect(text).toContain("Last button");
    expect(text.length).toBeLessThan(25_000);
  });

  test("of ten thousand elements each can be reached by pages or by words", async () => {
    await flow.open("/many?elements=10000");
    const { text } = await flow.call({ action: "snapshot", query: "Button 9995" });
    expect(text).toMatch(/button "Button 9995" \[ref=e\d+\]/);
    const first = await flow.call({ action: "snapshot" });
    const second = await flow.call({ action: "snapshot", page: 2 });
    expect(first.text.length).toBeLessThanOrEqual(22_000);
    expect(second.text).not.toContain('"Button 0"');
  });
});

describe("pages in trouble", () => {
  test.each(["/never", "/never-loaded"])("%s is used while it loads", async (path) => {
    const start = performance.now();
    await flow.open(path);
    expect((await click("button", "Try")).text).toContain("It works");
    expect(performance.now() - start).toBeLessThan(2 * SOON_MS);
  });

  test("a page that never rests is listed, and its still button is pressed", async () => {
    await flow.open("/restless");
    const { isError } = await click("button", "Stay");
    expect(isError).toBe(false);
  });

  test("a button under a banner is not pressed, and the banner is named", async () => {
    await flow.open("/covered");
    const covered = await click("button", "Buy");
    expect(covered.isError).toBe(true);
    expect(covered.text).toContain("Cookies");
    await click("button", "Accept all");
    expect((await click("button", "Buy")).text).toContain("Bought");
  });

  test("a page that hangs is told in time, and the next page works", async () => {
    await flow.open("/hung");
    const start = performance.now();
    const hung = await flow.act({
      kind: "click",
      ref: await flow.ref("button", "Hang for ever"),
      timeoutMs: 1000,
    });
    expect(hung.text).toMatch(/answer|hang|busy|Waited/i);
    expect(performance.now() - start).toBeLessThan(SOON_MS);
    const { text } = await flow.call({ action: "open", targetUrl: `${flow.server.base}/inner` });
    expect(text).toContain("Press Inner");
  });

  test("a piece is dragged by the pointer", async () => {
    await flow.open("/pointer-drag");
    const startRef = await flow.ref("button", "Piece");
    const endRef = await flow.ref("img", "Goal");
    expect((await flow.act({ kind: "drag", startRef, endRef })).text).toContain("In the goal");
  });

  test("what only a canvas shows is clicked by its place", async () => {
    await flow.open("/canvas");
    const fn = "document.querySelector('#field').getBoundingClientRect().toJSON()";
    const { text } = await flow.act({ kind: "evaluate", fn });
    const [x, y] = ["left", "top"].map((side) =>
      Number(new RegExp(`"${side}":\\s*([\\d.]+)`).exec(text)?.[1]),
    );
    const inGoal = { x: (x ?? 0) + 220, y: (y ?? 0) + 120 };
    const clicked = await flow.act({ request: { kind: "clickCoords", ...inGoal } });
    expect(clicked.text).toContain("1 points");
  });
});

function pathIn(details: unknown): string {
  const path: unknown = Reflect.get(Object(details), "path");
  if (typeof path !== "string") throw new Error(`No path in ${JSON.stringify(details)}`);
  return path;
}
