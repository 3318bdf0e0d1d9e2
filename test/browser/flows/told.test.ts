// What a model is told of what it did: moves, tabs, dialogs, the focus, pages gone back to; through the
// toolkit, on a real Chromium.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { useFlow } from "./flow-setting.js";
import { createShow, inner } from "./show-page.js";

const flow = useFlow();
beforeAll(async () => {
  await flow.call({ action: "start" });
});

const show = createShow(flow);

test("a card that was dragged elsewhere is told with its place", async () => {
  const { ref } =
    await show(`<ul aria-label=Todo><li draggable=true aria-label="Card A" id=c>Card A</li></ul>
    <ul aria-label=Done id=b style="min-height:60px"><li aria-label="Card B">Card B</li></ul><script>
    c.ondragstart = (e) => e.dataTransfer.setData("text", "c"); b.ondragover = (e) => e.preventDefault();
    b.ondrop = (e) => { e.preventDefault(); b.append(c); }</script>`);
  const card = ref("listitem", "Card A");
  const { text } = await flow.act({ kind: "drag", startRef: card, endRef: ref("list", "Done") });
  expect(text).toMatch(/~ .*listitem "Card A" .*in list "Done".*after listitem "Card B"/);
});

test("a list that was sorted is told with its order", async () => {
  const { ref } = await show(`<button onclick="l.append(...[...l.children].reverse())">Sort</button>
    <ul id=l aria-label=Fruit>${["Pear", "Fig", "Date", "Apple"].map((name) => `<li>${name} <button>Buy</button></li>`).join("")}</ul>`);
  const { text } = await flow.act({ kind: "click", ref: ref("button", "Sort") });
  expect(text).toMatch(/~ list "Fruit".* order: .*"Apple.*Date.*Fig.*Pear/);
});

test("a filter is told with the first rows that went", async () => {
  const rows = Array.from(
    { length: 60 },
    (_, at) => `<tr><td>Person ${at}<td><button>Delete</button>`,
  );
  const { ref } =
    await show(`<input type=search aria-label=Filter oninput="for (const row of b.rows)
    row.hidden = !row.textContent.includes(this.value)"><table><thead><tr><th>Name<th>Do</thead>
    <tbody id=b>${rows.join("")}</tbody></table>`);
  const { text } = await flow.act({ kind: "type", ref: ref("searchbox", "Filter"), text: "son 7" });
  expect(text).toMatch(/\n- … \d+ more elements\n/);
  expect(inner(text).match(/^- /gm)).toHaveLength(5);
});

test("an item that went is told by its words", async () => {
  const { ref } = await show(
    "<ul><li>Bob: lunch? <button onclick='this.parentNode.remove()'>Archive</button></li></ul>",
  );
  const { text } = await flow.act({ kind: "click", ref: ref("button", "Archive") });
  expect(text).toMatch(/- list(?:item)?.* "Bob: lunch\?" \[ref=e\d+\] \(and 2 in it\)/);
});

test("a page is scrolled by its direction, and a select is told as one", async () => {
  const { ref } = await show(
    `<label>Country <select><option>Peru<option>Chile</select></label><div style="height:4000px"></div>`,
  );
  const down = await flow.call({ action: "scroll", direction: "down" });
  expect(inner(down.text)).toMatch(/^~ scrolled to \d+ of \d{4} px$/);
  const country = ref("combobox", "Country");
  const { text } = await flow.act({ kind: "type", ref: country, text: "Peru" });
  expect(text).toContain("it is a select, use kind select with values");
});

test("a click that opened a dialog was done, what comes while it waits was not", async () => {
  const { ref } = await show(
    `<button onclick="o.textContent = confirm('Delete?') ? 'Gone' : 'Kept'">Ask</button><p id=o></p>`,
  );
  const asked = await flow.act({ kind: "click", ref: ref("button", "Ask") });
  expect(asked).toMatchObject({ isError: false, text: expect.stringContaining('"Delete?"') });
  expect(asked.text).toContain("[It was done, and opened the dialog; do not repeat it");
  const held = await flow.call({ action: "snapshot" });
  expect(held.isError).toBe(true);
  expect(held.text).toContain("[This call was not done, because a dialog waits");
  const { text } = await flow.call({ action: "dialog", accept: true });
  expect(text).toContain("+ text: Gone");
});

test("keys tell where the focus went and how far the page was scrolled", async () => {
  await show(`<button>One</button><div style="height:4000px"></div>`);
  const tab = await flow.act({ kind: "press", key: "Tab" });
  expect(inner(tab.text)).toMatch(/^~ focus: button "One" \[ref=e\d+\]$/);
  const end = await flow.act({ kind: "press", key: "End" });
  expect(inner(end.text)).toMatch(/^~ scrolled to \d{4} of \d{4} px$/);
});

test("a link that is opened beside the page is told as a new tab", async () => {
  const { ref } = await show(`<a href="${flow.server.base}/login">There</a>`);
  const link = ref("link", "There");
  for (const how of [{ modifiers: ["Control"] }, { button: "middle" }]) {
    const { text } = await flow.act({ kind: "click", ref: link, ...how });
    expect(text).toMatch(/! A new tab opened: t\d+/);
    const [, targetId] = /opened: (t\d+)/.exec(text) ?? [];
    await flow.call({ action: "close", targetId });
  }
});

test("the tab goes back, forward and to the same page again", async () => {
  await flow.open("/login");
  await flow.call({ action: "navigate", targetUrl: "/all-inputs" });
  expect((await flow.call({ action: "back" })).text).toContain(`${flow.server.base}/login`);
  const forward = await flow.call({ action: "navigate", targetUrl: "forward" });
  expect(forward.text).toContain(`${flow.server.base}/all-inputs`);
  const none = await flow.call({ action: "forward" });
  expect(none).toMatchObject({
    isError: true,
    text: expect.stringContaining("no page to go forward"),
  });
  const again = await flow.call({ action: "reload" });
  expect(again.text).toContain(`${flow.server.base}/all-inputs`);
});

test("a download that was saved is no news afterwards", async () => {
  const { ref } = await show(
    `<a href="${flow.server.base}/download/report">Report</a><button>Other</button>`,
  );
  const begun = await flow.act({ kind: "wait", timeMs: 1 });
  expect(begun.isError).toBe(false);
  await flow.act({ kind: "evaluate", fn: "document.querySelector('a').click()" });
  await flow.call({ action: "download" });
  const { text } = await flow.act({ kind: "click", ref: ref("button", "Other") });
  expect(text).not.toContain("A download began");
});

test("a frame is not clicked itself, and the answer says what to do", async () => {
  const { ref } = await show(`<iframe title=Inner srcdoc="<button>Do</button>"></iframe>`);
  const { isError, text } = await flow.act({ kind: "click", ref: ref("iframe", "Inner") });
  expect(isError).toBe(true);
  expect(text).toContain("it is a frame, act on what is in it");
});

test("a picture is saved where it was asked for, or that is refused", async () => {
  await show("<h1>Here</h1>");
  const saved = await flow.call({ action: "screenshot", path: "shot.png" });
  expect(saved.text).toContain("MEDIA:");
  expect(existsSync(join(flow.root, "downloads", "shot.png"))).toBe(true);
  const outside = await flow.call({ action: "screenshot", path: "/shot.png" });
  expect(outside).toMatchObject({ isError: true, details: { reason: "path_outside_root" } });
});

test("a new page is shown as snapshot shows it: nested, rows with their buttons, files marked", async () => {
  const rows = Array.from(
    { length: 80 },
    (_, at) => `<tr><td>Person ${at}<td><button>Delete</button>`,
  );
  const { text } = await show(`<input type=file aria-label=Doc>
    <iframe title=Inner srcdoc="<button>Do</button>"></iframe><h2>Below</h2>
    <table aria-label=People><tr><th>Name<th>What</tr>${rows.join("")}</table>`);
  expect(text).toMatch(/- button "Doc" \[ref=e\d+\] \[file\]/);
  expect(text).toMatch(/- iframe "Inner" \[ref=e\d+\]:\n {2}- button "Do"/);
  expect(text).toMatch(/- table "People".*:\n(?: {2}.*\n)? {2,4}- row.*: Name \| What/);
  expect(text).toMatch(/- row.*: Person 3.*:?\n +- button "Delete"/);
  expect(text).toMatch(/\+ … \d+ more/);
});
