// Rows whose content is written anew into the same nodes: the ref of a button never means another row,
// however the rows are marked up.

import { describe, expect, it } from "vitest";
import { holdsOf, LAYOUTS, toPage } from "./layouts.js";
import { useShownTab } from "./shown-tab.js";
import { scope, staleWhy } from "./tab-fixture.js";

const shown = useShownTab();
const { show, run, allWhy } = shown;
const refsOf = (name: string) => shown.refsWith({ name });

describe("the buttons of two rows", () => {
  it.each(Object.entries(LAYOUTS))(
    "marked up as %s are refused when the rows are swapped in place",
    async (_name, layout) => {
      await show(toPage(layout, ["Alice", "Bob"]));
      const refs = await refsOf("Delete");
      expect(new Set(await allWhy(refs))).toEqual(new Set(["found"]));
      await run(`swap("${holdsOf(layout)}")`);
      expect(new Set(await allWhy(refs))).toEqual(new Set(["changed"]));
    },
  );
});

it("the button of a row that was listed alone is refused when the rows are swapped", async () => {
  const layout = LAYOUTS["headings before buttons"];
  if (!layout) throw new Error("no such layout");
  await show(toPage(layout, ["Alice", "Bob"]));
  const { elements } = await shown.tab.elements.list({ selector: "button" }, scope());
  const ref = elements.find(({ name }) => name === "Delete")?.ref ?? "";
  await run(`swap("${holdsOf(layout)}")`);
  expect(await staleWhy(shown.tab, ref)).toBe("changed");
});

it("the many rows of a page that never changes are all found", async () => {
  const names = Array.from({ length: 250 }, (_, at) => `Person ${at}`);
  const row = (name: string) => `<p>${name}</p><p>city of ${name}</p><button>Delete</button>`;
  await show(`<div>${names.map(row).join("")}</div>`);
  expect(new Set(await allWhy(await refsOf("Delete")))).toEqual(new Set(["found"]));
});

describe("a row", () => {
  const ROWS = (row: (name: string) => string) => ["Ann", "Bob", "Cid"].map(row).join("");

  it.each([
    ["as list items", (name: string) => `<li>${name} <button>Delete</button></li>`, "li"],
    ["side by side", (name: string) => `<b>${name}</b> <button>Delete</button>`, "b,button"],
  ])("that goes away leaves the refs of others %s", async (_how, row, parts) => {
    await show(`<div id=d>${ROWS(row)}</div>`);
    const refs = await refsOf("Delete");
    await run(`{ const parts = [...d.querySelectorAll("${parts}")]; const each = parts.length / 3;
      parts.slice(each, each * 2).forEach((part) => part.remove()); }`);
    expect(await allWhy(refs)).toEqual(["found", "detached", "found"]);
    expect(await refsOf("Delete")).toEqual([refs[0], refs[2]]);
  });

  it.each([
    [
      "anew by index",
      `spans.forEach((span, at) => { span.textContent = ["New", "Ann", "Bob", "Cid"][at]; })`,
    ],
    ["with other content", `spans.forEach((span, at) => { span.textContent = "Next " + at; })`],
  ])("that is written %s has other refs", async (_how, script) => {
    await show(`<main>${ROWS((name) => `<span>${name}</span><button>Delete</button>`)}</main>`);
    const refs = await refsOf("Delete");
    await run(`{ const spans = [...document.querySelectorAll("span")]; ${script} }`);
    expect(await allWhy(refs)).toEqual(["changed", "changed", "changed"]);
    expect((await refsOf("Delete")).filter((ref) => refs.includes(ref))).toEqual([]);
  });

  it("stays when the text of another row changes", async () => {
    await show(ROWS((name) => `<div class=row><b>${name}</b> <button>Delete</button></div>`));
    const refs = await refsOf("Delete");
    await run(`document.querySelectorAll("b")[2].textContent = "Dan"`);
    expect(await allWhy(refs)).toEqual(["found", "found", "changed"]);
  });

  it("into which somebody types keeps its refs, and one into which the page writes does not", async () => {
    await show(
      ROWS(
        (name) =>
          `<div><input value=${name}><select><option>A<option>B</select><button>Save</button></div>`,
      ),
    );
    const refs = await refsOf("Save");
    const [, second = ""] = (await shown.tab.list()).elements
      .filter(({ role }) => role === "textbox")
      .map(({ ref }) => ref);
    const [, box = ""] = (await shown.tab.list()).elements
      .filter(({ role }) => role === "combobox")
      .map(({ ref }) => ref);
    await shown.tab.page.locator("input").nth(1).pressSequentially("by");
    const ask = shown.tab.elements.ask<"choose">;
    const asks = { op: "choose", ref: Number(box.slice(1)), values: ["B"] } as const;
    expect(await ask(shown.tab.page.mainFrame(), asks, scope())).toMatchObject({ how: "chosen" });
    expect(await allWhy([...refs, second])).toEqual(["found", "found", "found", "found"]);
    await run(`document.querySelectorAll("input")[1].value = "Cid"`);
    expect(await allWhy([...refs, second])).toEqual(["found", "changed", "found", "changed"]);
  });
});

describe("equal elements that are no rows", () => {
  it.each([
    ["in divisions", (name: string) => `<div><h2>${name}</h2><ul><li>one</ul></div>`],
    ["side by side", (name: string) => `<h2>${name}</h2><ul><li>one</ul>`],
  ])("like lists %s stand under their titles, whatever is in them", async (_how, column) => {
    await show(["Doing", "Done"].map(column).join(""));
    const refs = (await shown.tab.list()).elements
      .filter(({ role }) => role === "list")
      .map(({ ref = "" }) => ref);
    await run(`document.querySelector("ul").insertAdjacentHTML("beforeend", "<li>two")`);
    expect(await allWhy(refs)).toEqual(["found", "found"]);
    await run(
      `{ const [x, y] = document.querySelectorAll("h2"); [x.textContent, y.textContent] = [y.textContent, x.textContent]; }`,
    );
    expect(await allWhy(refs)).toEqual(["changed", "changed"]);
  });

  it("like two pagers do not depend on what lies between them", async () => {
    await show(
      `<h1>Users</h1><div><button>Next</button></div><table><tr><td id=t>Ann</table><div><button>Next</button></div>`,
    );
    const refs = await refsOf("Next");
    await run(`t.textContent = "Bob"`);
    expect(await allWhy(refs)).toEqual(["found", "found"]);
  });

  it("like links at the top and at the end of a page do not depend on what is beside them", async () => {
    await show(
      `<header><a href=/>Home</a> <span id=s>Cart (1)</span></header><main>Text</main><footer><a href=/>Home</a> 2026</footer>`,
    );
    const refs = await refsOf("Home");
    await run(`s.textContent = "Cart (2) now"`);
    expect(await allWhy(refs)).toEqual(["found", "found"]);
  });

  it("in parts of a page stand under the title of their part, whatever else is in it", async () => {
    await show(`<aside aria-label=Groups id=a><p id=p>one</p><button>Delete</button></aside>
      <main><h1 id=h>Ann</h1><p id=q>two</p><ul><li><h3 id=i>Post</h3></ul><button>Delete</button></main>`);
    const refs = await refsOf("Delete");
    await run(`p.textContent = "three"; q.textContent = "four"; i.textContent = "News"`);
    expect(await allWhy(refs)).toEqual(["found", "found"]);
    await run(`h.textContent = "Bob"`);
    expect(await allWhy(refs)).toEqual(["found", "changed"]);
    await run(`a.ariaLabel = "People"`);
    expect(await allWhy(refs)).toEqual(["changed", "changed"]);
  });
});
