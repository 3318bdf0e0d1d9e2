// What can be acted on though it means nothing to ARIA: boxes, labels of fields that are not shown, and
// elements that say by an attribute that they take clicks.

import { expect, test } from "vitest";
import { showListing } from "../../../src/tools/browser/view/show-listing.js";
import { useShownTab } from "./shown-tab.js";
import { scope, toText } from "./tab-fixture.js";

const shown = useShownTab();

async function listed(html: string): Promise<string> {
  await shown.show(html);
  return toText((await shown.tab.list()).elements);
}

async function withBoxes(html: string, selector?: string) {
  await shown.show(html);
  const { elements } = await shown.tab.elements.list({ withBoxes: true, selector }, scope());
  return elements;
}

const MENU = `<div class=top><span>Products</span><div hidden><a href=#a>Alpha</a></div></div>
  <table><tr><td>Row <i>one</i></td></tr></table><h2><b>Head</b></h2><p>Some <em>more</em> words</p>`;

test("a listing with boxes has every element that is seen, each with a ref", async () => {
  const elements = await withBoxes(MENU);
  expect(toText(elements)).toBe(`generic "Products"
  generic "Products"
table
  rowgroup
    row
      cell "Row one"
        generic "one"
heading "Head" [level=2]
  generic "Head"
paragraph
  text "Some"
  generic "more"
  text "words"`);
  const refs = elements.filter(({ role }) => role !== "text").map(({ ref }) => ref);
  expect(refs).not.toContain(undefined);
  expect(new Set(refs).size).toBe(refs.length);
  expect(new Set(await shown.allWhy(refs.map((ref = "") => ref)))).toEqual(new Set(["found"]));
});

test("boxes keep their refs, others have those of the plain listing, and no change is told", async () => {
  await shown.show(`${MENU}<button>Go</button>`);
  const plain = await shown.tab.refOf("button", "Go");
  const read = () => shown.tab.elements.list({ withBoxes: true }, scope());
  const { elements: first } = await read();
  const { elements: second } = await read();
  expect(second.map(({ ref }) => ref)).toEqual(first.map(({ ref }) => ref));
  expect(first.at(-1)).toMatchObject({ ref: plain, name: "Go" });
  expect(first.some(({ isNew }) => isNew)).toBe(false);
  await shown.tab.elements.watch(scope());
  const { added, removed, changed } = await shown.tab.elements.changes(scope());
  expect({ added, removed, changed }).toEqual({ added: [], removed: [], changed: [] });
});

test("boxes in frames and below a selector are listed too", async () => {
  const inner = await withBoxes(`<iframe srcdoc="<div>Inner box</div>"></iframe>`);
  expect(inner.find(({ name }) => name === "Inner box")).toMatchObject({ role: "generic" });
  const part = await withBoxes(`<div id=a><i>One</i><i>Two</i></div><i>Three</i>`, "#a");
  expect(part.map(({ name }) => name)).toEqual(["OneTwo", "One", "Two"]);
});

test("the label of a field that is not shown stands for it", async () => {
  const text = await listed(`<label for=f>Attach</label><input id=f type=file style="display:none">
    <label>Agree <input type=checkbox checked style="visibility:hidden"></label>
    <label for=r>Plan <b>Basic</b></label><input id=r type=radio disabled hidden>
    <label for=b>Send</label><button id=b hidden>x</button>
    <label for=t>Note</label><input id=t hidden>
    <label for=c>Seen</label><input id=c type=checkbox>`);
  expect(text).toBe(`button "Attach" [file]
checkbox "Agree" [checked]
radio "Plan Basic" [disabled]
button "Send"
text "Note"
checkbox "Seen"`);
});

test("the label of a file input that is not shown is taken as that, and one of a disabled field not", async () => {
  await shown.show(`<label for=f>Attach</label><input id=f type=file hidden>
    <label for=r>Plan</label><input id=r type=radio disabled hidden>`);
  const attach = await shown.tab.refOf("button", "Attach");
  const { locator } = await shown.tab.elements.find(attach, "files", scope());
  await locator.setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("a") });
  expect(await shown.run("f.files[0].name")).toBe("a.txt");
  const { elements } = await shown.tab.list();
  expect(elements.find(({ ref }) => ref === attach)).toMatchObject({ value: "a.txt" });
  const plan = await shown.tab.refOf("radio", "Plan");
  await expect(shown.tab.elements.find(plan, "click", scope())).rejects.toMatchObject({
    reason: "element_disabled",
  });
});

test("what says by an attribute that it takes clicks is listed as something to act on", async () => {
  await shown.show(`<div aria-haspopup=menu>Menu</div><div onpointerdown="1">Press</div>
    <div onmouseenter="1">Over</div><div tabindex=0>Focus</div><div onclick="1">Click</div>
    <div tabindex=-1>Not either</div>`);
  const { elements } = await shown.tab.list();
  const names = elements.filter(({ isInteractive }) => isInteractive).map(({ name }) => name);
  expect(names).toEqual(["Menu", "Press", "Over", "Focus", "Click"]);
});

test("a custom element in a line that shows what it is closed around is told as a gap", async () => {
  await shown.show(`<x-c></x-c><x-empty></x-empty><script>
    customElements.define("x-empty", class extends HTMLElement {});
    customElements.define("x-c", class extends HTMLElement { constructor() { super();
    this.attachShadow({ mode: "closed" }).innerHTML = "<button>Secret</button>"; } });</script>`);
  const { gaps } = await shown.tab.list();
  expect(gaps).toEqual([expect.stringContaining("<x-c>")]);
});

test.each([
  ["<div id=veil style='position:fixed;inset:0'></div>", "veil"],
  ["<div class='veil dark' style='position:fixed;inset:0'></div>", "veil dark"],
  [`<div style='position:fixed;inset:0'>${"long ".repeat(80)}</div>`, "long long"],
])("what covers an element is named though it has no name: %s", async (cover, name) => {
  await shown.show(`<button>Go</button>${cover}`);
  const ref = await shown.tab.refOf("button", "Go");
  const found = shown.tab.elements.find(ref, "click", scope());
  await expect(found).rejects.toMatchObject({
    reason: "element_covered",
    message: expect.stringMatching(new RegExp(`covered by e\\d+ generic "${name}`)),
  });
});

test("a query finds what can be acted on in the row, item or dialog that has its words", async () => {
  await shown.show(`<h1>List</h1><table><tr><td>Person 777<td>Rome<td><button>Edit</button></tr>
    <tr><td>Person 778<td>Oslo<td><button>Edit</button></tr></table>
    <ul><li>Carol <button>Delete</button><li>Dan <button>Delete</button></ul>
    <dialog open aria-label="Remove Eve"><button>Yes</button></dialog>`);
  const listing = await shown.tab.list();
  const find = (query: string, isInteractive = false) =>
    showListing(listing, { format: "ai", query, isInteractive, maxChars: 5_000 })
      .text.replaceAll(/ \[ref=e\d+\]/g, "")
      .split("\n");
  expect(find("person 777")).toEqual([
    expect.stringContaining("row"),
    expect.stringContaining('button "Edit" (in row "Person 777'),
  ]);
  expect(find("carol", true)).toEqual([expect.stringContaining('button "Delete"')]);
  expect(find("eve", true)).toEqual([expect.stringContaining('button "Yes"')]);
  expect(find("l").join()).not.toContain("dialog");
});
