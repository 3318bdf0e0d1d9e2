// What changed since the page was told last: short, by ref, and the same for large pages, of which only
// the mutated parts are read.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { ElementChanges } from "../../../src/drivers/browser/elements/tab-elements.js";
import {
  createTabFixture,
  START_MS,
  scope,
  type Tab,
  type TabFixture,
  toLine,
} from "./tab-fixture.js";

/** So many that the whole page is not read again. */
const MANY = 3_000;

let fixture: TabFixture;
beforeAll(async () => {
  fixture = await createTabFixture();
}, START_MS);
afterAll(() => fixture.close());

const FILLER = `<div id=filler>${Array.from({ length: MANY }, (_, at) => `<p>Line ${at} <a href="/${at}">l${at}</a></p>`).join("")}</div>`;
const BASE = `<h1>Shop</h1><ul id=l><li id=i1>Tea <button>Buy</button></li><li>Milk <button>Buy</button></li></ul>
  <label id=lab for=f>Name</label><input id=f><p id=ref>Old</p><button aria-labelledby=ref></button><div id=box></div>
  <details id=d><summary>More</summary><button>Inside</button></details><x-s></x-s>
  <script>customElements.define("x-s", class extends HTMLElement { constructor() { super();
    this.attachShadow({ mode: "open" }).innerHTML = "<button>Shadow</button>"; } });</script>`;

/** What is done to the page, and what is told of it. */
const CASES: readonly (readonly [title: string, script: string, told: readonly string[]])[] = [
  ["nothing", "0", []],
  ["an added button", `box.innerHTML = "<button>New</button>"`, [`+ button "New"`]],
  ["a text that came", `box.textContent = "Saved"`, [`+ text "Saved"`, `- button "New"`]],
  [
    "a text that changed",
    `box.firstChild.data = "Saved twice"`,
    [`+ text "Saved twice"`, `- text "Saved"`],
  ],
  ["a text that went", `box.textContent = ""`, [`- text "Saved twice"`]],
  ["a state", `l.querySelector("button").disabled = true`, [`~ button "Buy" [disabled]`]],
  [
    "an item that went",
    `l.lastElementChild.remove()`,
    [`- listitem`, `- text "Milk"`, `- button "Buy"`],
  ],
  ["another label", `lab.firstChild.data = "Full name"`, [`~> textbox "Full name"`]],
  [
    "another referred text",
    `document.getElementById("ref").textContent = "Now"`,
    [`+ text "Now"`, `- text "Old"`, `~> button "Now"`],
  ],
  [
    "what was typed",
    `f.value = "Ada"; f.dispatchEvent(new Event("input", { bubbles: true }))`,
    [`~ textbox "Full name" = Ada`],
  ],
  ["what was opened", "d.open = true", [`+ button "Inside"`, `~ generic "More" [expanded]`]],
  ["what was hidden", "d.hidden = true", [`- generic "More" [expanded]`, `- button "Inside"`]],
  [
    "a name in a shadow root",
    `document.querySelector("x-s").shadowRoot.firstChild.textContent = "Deep"`,
    [`~> button "Deep"`],
  ],
];

test.each([
  ["small", ""],
  ["large", FILLER],
])("every change of a %s page is told, and nothing else", async (_, filler) => {
  const tab = await fixture.open(`${BASE}${filler}`);
  await tab.list();
  const told = [];
  for (const [title, script] of CASES) {
    await tab.elements.watch(scope());
    await tab.page.evaluate(script);
    told.push([title, toSigns(await tab.elements.changes(scope()))]);
  }
  expect(told).toEqual(CASES.map(([title, , lines]) => [title, [...lines].sort()]));
  await tab.page.close();
});

function toSigns({ added, removed, changed }: ElementChanges): readonly string[] {
  const flat = (element: Parameters<typeof toLine>[0]) => toLine({ ...element, depth: 0 });
  return [
    ...added.map((element) => `+ ${flat(element)}`),
    ...removed.map((element) => `- ${flat(element)}`),
    ...changed.map(({ from, now }) => `${from ? "~>" : "~"} ${flat(now)}`),
  ].sort();
}

test("a new name tells the old ref and the new one", async () => {
  const tab = await fixture.open("<button id=b>Play</button>");
  const old = await tab.refOf("button", "Play");
  await tab.page.evaluate(`b.textContent = "Pause"`);
  const { changed } = await tab.elements.changes(scope());
  expect(changed).toEqual([{ from: old, now: expect.objectContaining({ name: "Pause" }) }]);
  expect(await tab.refOf("button", "Pause")).toBe(changed[0]?.now.ref);
  await tab.page.close();
});

test("reordering is no change, and the focus is none", async () => {
  const tab = await fixture.open("<div id=l><button>A</button><button>B</button></div>");
  await tab.list();
  await tab.page.evaluate("l.append(l.firstChild); l.firstChild.focus()");
  expect((await tab.elements.changes(scope())).counts).toEqual({
    added: 0,
    removed: 0,
    changed: 0,
  });
  await tab.page.close();
});

test("of a new document the outline is told, then changes against it", async () => {
  const tab = await fixture.open("<h1>One</h1>");
  await tab.list();
  fixture.documents.set("/two", `<h1>Two</h1><button>Go</button>${FILLER}`);
  await tab.page.goto(`${fixture.origin}/two`);
  const first = await tab.elements.changes(scope());
  expect(first.isNewDocument).toBe(true);
  expect(first.added.slice(0, 2).map(({ name }) => name)).toEqual(["Two", "Go"]);
  expect(first.added.length).toBeLessThanOrEqual(80);
  expect(first.counts.added).toBeGreaterThan(MANY);
  await tab.page.evaluate(`document.querySelector("button").textContent = "Stop"`);
  const second = await tab.elements.changes(scope());
  expect(second.isNewDocument).toBe(false);
  expect(toSigns(second)).toEqual([`~> button "Stop"`]);
  await tab.page.close();
});

test("what changes in frames is told too, and frames that come with what is in them", async () => {
  fixture.documents.set("/frame", "<button id=b>Inner</button>");
  const tab: Tab = await fixture.open(`<iframe src="/frame"></iframe>`);
  await tab.page.waitForLoadState("load");
  await tab.list();
  await tab.page.frames()[1]?.evaluate(`b.textContent = "Renamed"`);
  expect(toSigns(await tab.elements.changes(scope()))).toEqual([`~> button "Renamed"`]);
  const loaded = `new Promise((done) => { const f = document.createElement("iframe"); f.title = "Late";
    f.onload = () => done(0); f.src = "/frame"; document.body.append(f); })`;
  await tab.page.evaluate(loaded);
  expect(toSigns(await tab.elements.changes(scope()))).toEqual([
    `+ button "Inner"`,
    `+ iframe "Late"`,
  ]);
  await tab.page.close();
});
