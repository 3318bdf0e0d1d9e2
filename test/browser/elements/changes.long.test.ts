// What changed since the page was told last: short, by ref, and the same for large pages, of which only
// the mutated parts are read.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { ElementChanges } from "../../../src/drivers/browser/elements/tab-elements.js";
import { createTabFixture, scope, type Tab, type TabFixture, toLine } from "./tab-fixture.js";

/** So many that the whole page is not read again. */
const MANY = 3_000;

let fixture: TabFixture;
beforeAll(async () => {
  fixture = await createTabFixture();
});
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
    "a count behind a name",
    `document.getElementById("ref").textContent = "Now (2)"`,
    [`+ text "Now (2)"`, `- text "Now"`, `~ button "Now (2)"`],
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

/** What is done to a list and two columns of cards, and where things stand then. */
const MOVES: readonly (readonly [title: string, script: string, told: readonly string[]])[] = [
  ["the focus", "l.firstElementChild.focus()", []],
  ["taken out and put back", "const [a] = l.children; a.remove(); l.prepend(a)", []],
  ["one to the end", "l.append(l.firstElementChild)", ["A: in Fruit, after D"]],
  ["all turned round", "l.append(...[...l.children].reverse())", ["Fruit: A D C B"]],
  ["another column", "done.append(card)", ["Card: in Done, after Old"]],
  ["back to the top", "todo.prepend(card)", ["Card: in Todo, after -"]],
  ["a wrapper without a row", "done.prepend(wrap)", ["Words: in Done, after -"]],
  [
    "drawn anew elsewhere",
    "const copy = card.cloneNode(true); card.remove(); done.append(copy)",
    ["Card: in Done, after Old"],
  ],
  [
    "drawn anew elsewhere, without a name",
    "const copy = bare.cloneNode(true); bare.remove(); done.append(copy)",
    ["Go: in Done, after Card"],
  ],
  ["drawn anew in its place", "done.replaceChild(card.cloneNode(true), card)", []],
  ["out and away", "card.remove()", []],
];
const BOARD = `<div id=l role=list aria-label=Fruit>${[..."ABCD"].map((name) => `<button role=listitem aria-label=${name}>${name}</button>`).join("")}</div>
  <ul id=todo aria-label=Todo><li id=card aria-label=Card>Card</li><li>Next</li><li id=bare>Bare <button>Go</button> <button>Stop</button></li></ul>
  <ul id=done aria-label=Done><li aria-label=Old>Old</li></ul><div id=wrap><div>Words</div></div>`;

test.each([
  ["small", ""],
  ["large", FILLER],
])("what a %s page puts elsewhere is told with its place", async (_, filler) => {
  const tab = await fixture.open(`${BOARD}${filler}`);
  await tab.list();
  const told = [];
  for (const [title, script] of MOVES) {
    await tab.elements.watch(scope());
    await tab.page.evaluate(`{ ${script} }`);
    const { moved = [] } = await tab.elements.changes(scope());
    told.push([
      title,
      moved.map(({ element, parent, after, order }) =>
        order
          ? `${element.name}: ${order.map(({ name }) => name).join(" ")}`
          : `${element.name}: in ${parent?.name}, after ${after?.name ?? "-"}`,
      ),
    ]);
  }
  expect(told).toEqual(MOVES.map(([title, , lines]) => [title, lines]));
  await tab.page.close();
});

test("where the focus went and how far things are scrolled is told", async () => {
  const tab = await fixture.open(`<button id=b>One</button><div style="height:5000px"></div>
    <div id=log role=log aria-label=Log style="height:50px;overflow:auto"><p style="height:500px">Lines</p></div>`);
  await tab.list();
  await tab.elements.changes(scope());
  await tab.page.evaluate("b.focus(); scrollTo(0, 700)");
  expect(await tab.elements.changes(scope())).toMatchObject({
    focus: { role: "button", name: "One" },
    scrolled: { top: 700, ofPx: expect.any(Number) },
  });
  const still = await tab.elements.changes(scope());
  expect([still.focus, still.scrolled]).toEqual([undefined, undefined]);
  const scrolled = `new Promise((done) => { log.onscroll = done; log.scrollTop = 90; }).then(() => 0)`;
  await tab.page.evaluate(scrolled);
  expect((await tab.elements.changes(scope())).scrolled).toMatchObject({
    top: 90,
    element: { name: "Log" },
  });
  await tab.page.close();
});

test("of a new document what stands first in it is told, then changes against it", async () => {
  const tab = await fixture.open("<h1>One</h1>");
  await tab.list();
  fixture.documents.set("/two", `<h1>Two</h1><button>Go</button>${FILLER}`);
  await tab.page.goto(`${fixture.origin}/two`);
  const first = await tab.elements.changes(scope());
  expect(first.isNewDocument).toBe(true);
  expect(first.added.slice(0, 2).map(({ name }) => name)).toEqual(["Two", "Go"]);
  expect(first.added.length).toBeLessThanOrEqual(1_500);
  expect(first.counts.added).toBeGreaterThan(MANY);
  await tab.page.evaluate(`document.querySelector("button").textContent = "Stop"`);
  const second = await tab.elements.changes(scope());
  expect(second.isNewDocument).toBe(false);
  expect(toSigns(second)).toEqual([`~> button "Stop"`]);
  await tab.page.close();
});

test("what is in the frames of a new document stands in their place", async () => {
  fixture.documents.set("/in", "<button>In</button>");
  fixture.documents.set("/frames", `<h1>A</h1><iframe title=F src="/in"></iframe><h2>B</h2>`);
  const tab = await fixture.open("<h1>One</h1>");
  await tab.list();
  await tab.page.goto(`${fixture.origin}/frames`);
  const { added } = await tab.elements.changes(scope());
  expect(added.map(({ name, depth }) => [name, depth])).toEqual([
    ["A", 0],
    ["F", 0],
    ["In", 1],
    ["B", 0],
  ]);
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
