// Refs: bound to the element with its role, name and surroundings. They act on that or are refused, and
// no number is given twice.

import { expect, test } from "vitest";
import { useShownTab } from "./shown-tab.js";
import { scope, staleWhy } from "./tab-fixture.js";

const shown = useShownTab();

const { show, run } = shown;
const find = (ref: string) => shown.tab.elements.find(ref, "look", scope());

test("a ref is found in every spelling that models use", async () => {
  await show("<button>Go</button>");
  const ref = await shown.tab.refOf("button", "Go");
  const digits = ref.slice(1);
  const spellings = [
    ref,
    `E${digits}`,
    `@${ref}`,
    `ref=${ref}`,
    `[ref=${ref}]`,
    digits,
    `ax${digits}`,
    `f1${ref}`,
  ];
  for (const spelling of spellings) expect((await find(spelling)).ref).toBe(Number(digits));
});

test("insertions, reordering and states keep refs", async () => {
  await show(`<div id=l><button id=a>A</button><button id=b>B</button><input aria-label=T></div>`);
  const before = await Promise.all(["A", "B"].map((name) => shown.tab.refOf("button", name)));
  await run(`l.prepend(Object.assign(document.createElement("button"), { textContent: "New" })); l.append(a);
    b.disabled = true; l.querySelector("input").value = "typed"`);
  expect(await Promise.all(["A", "B"].map((name) => shown.tab.refOf("button", name)))).toEqual(
    before,
  );
});

test("a new name gives a new ref, and the old one is refused with what is near", async () => {
  await show(`<div id=l><button id=a>Alpha</button><button>Beta</button></div>`);
  const old = await shown.tab.refOf("button", "Alpha");
  await run(`a.textContent = "Delete everything"`);
  await expect(find(old)).rejects.toMatchObject({ code: "conflict", reason: "stale_ref" });
  expect(await staleWhy(shown.tab, old)).toBe("changed");
  expect(await shown.tab.refOf("button", "Delete everything")).not.toBe(old);
});

test("a node that was replaced by an equal one is refused as detached, nearest first", async () => {
  await show(`<div id=l><button>Save</button><a href=/x>Other</a></div>`);
  const old = await shown.tab.refOf("button", "Save");
  await run(`l.innerHTML = l.innerHTML`);
  await shown.tab.list();
  const error = await find(old).catch((caught: unknown) => caught);
  expect(error).toMatchObject({
    details: { why: "detached", near: [{ role: "button", name: "Save" }, {}] },
  });
});

const ROWS = (names: readonly string[]) =>
  names.map((name) => `<li><span>${name}</span> <button>Delete</button></li>`).join("");

test.each([
  ["list items", "li", (name: string) => `<li><span>${name}</span> <button>Delete</button></li>`],
  ["table rows", "tr", (name: string) => `<tr><td>${name}<td><button>Delete</button></tr>`],
  ["plain divisions", "div", (name: string) => `<div><b>${name}</b><button>Delete</button></div>`],
  [
    "nested cards",
    "section",
    (name: string) => `<section><h3>${name}</h3><p><button>Delete</button></p></section>`,
  ],
])("equal buttons of two %s whose content is swapped are refused", async (_, tag, toHtml) => {
  const wrap = tag === "tr" ? ["<table>", "</table>"] : ["<main>", "</main>"];
  await show(`${wrap[0]}${["Alpha", "Beta"].map(toHtml).join("")}${wrap[1]}`);
  const refs = await shown.refsWith({ role: "button", name: "Delete" });
  const texts = `[...document.querySelectorAll("span,td:first-child,b,h3")]`;
  await run(
    `{ const [x, y] = ${texts}; [x.textContent, y.textContent] = [y.textContent, x.textContent]; }`,
  );
  expect(await shown.allWhy(refs)).toEqual(["changed", "changed"]);
  // Control: moving the rows themselves keeps what each button means.
  const now = await shown.refsWith({ role: "button", name: "Delete" });
  await run(`{ const rows = [...document.querySelectorAll("${tag}")]; rows[0].before(rows[1]); }`);
  expect(await shown.allWhy(now)).toEqual(["found", "found"]);
});

test("a second item does not change the ref of the first", async () => {
  await show(`<main id=m><div><b>Alpha</b><button>Delete</button></div></main>`);
  const ref = await shown.tab.refOf("button", "Delete");
  await run(`m.insertAdjacentHTML("beforeend", "<div><b>Beta</b><button>Delete</button></div>")`);
  expect(await staleWhy(shown.tab, ref)).toBe("found");
  await run(`m.querySelector("b").textContent = "Gamma"`);
  expect(await staleWhy(shown.tab, ref)).toBe("changed");
});

test("a list that is rendered by index never lets an old ref act on another item", async () => {
  await show(`<ul id=l>${ROWS(["A1", "B1", "C1", "D1"])}</ul>`);
  const { elements } = await shown.tab.list();
  const refs = elements.filter(({ name }) => name === "Delete").map(({ ref = "" }) => ref);
  await run(`{ const spans = [...l.querySelectorAll("span")]; const texts = spans.map((s) => s.textContent).slice(1);
    texts.forEach((text, at) => { spans[at].textContent = text; }); l.lastElementChild.remove(); }`);
  expect(await Promise.all(refs.map((ref) => staleWhy(shown.tab, ref)))).toEqual([
    "changed",
    "changed",
    "changed",
    "detached",
  ]);
});

test("a refusal names the element itself first, and of which row each of equal ones is", async () => {
  await show(`<ul id=l>${ROWS(["Tea", "Coffee", "Rum"])}</ul><p><button>Close</button></p>`);
  const { elements } = await shown.tab.list();
  const [, old = ""] = elements.filter(({ name }) => name === "Delete").map(({ ref }) => ref);
  await run(`l.querySelectorAll("span")[1].textContent = "Cocoa"`);
  const error = await find(old).catch((caught: unknown) => caught);
  expect(error).toMatchObject({
    details: {
      why: "changed",
      near: [
        { name: "Delete", place: 'listitem "Cocoa"' },
        { name: "Delete", place: 'listitem "Tea"' },
        { name: "Delete", place: 'listitem "Rum"' },
        {},
        {},
        {},
      ],
    },
    message: expect.stringMatching(
      /^The ref e\d+ is another element by now: e\d+ button "Delete" \(in listitem "Cocoa"\); nearest are e\d+ button "Delete" \(in listitem "Tea"\), e/,
    ),
  });
  const [now] = (error as { details: { near: { ref: string }[] } }).details.near;
  expect((await find(now?.ref ?? "")).ref).toBe(Number(now?.ref.slice(1)));
  await expect(find(await shown.tab.refOf("button", "Close"))).resolves.toBeDefined();
});

test("numbers are never given again, over documents and frames of a tab", async () => {
  const seen: string[] = [];
  for (const name of ["one", "two", "three"]) {
    shown.fixture.documents.set("/inner", `<button>${name} inner</button>`);
    await show(`<button>${name}</button><iframe src="/inner"></iframe>`);
    const refs = await shown.refsWith({ role: "button" });
    expect(refs).toHaveLength(2);
    seen.push(...refs);
  }
  expect(seen.every((ref) => /^e\d+$/.test(ref))).toBe(true);
  expect(new Set(seen).size).toBe(seen.length);
});

test("a ref of the document before is told from one that never was", async () => {
  await show("<button>Save</button>");
  const old = await shown.tab.refOf("button", "Save");
  await show("<button>Cancel</button><button>Save</button>");
  const error = await find(old).catch((caught: unknown) => caught);
  expect(error).toMatchObject({
    reason: "stale_ref",
    details: { why: "other_document", near: [{ name: "Save" }, { name: "Cancel" }] },
  });
  expect(await staleWhy(shown.tab, "e999999")).toBe("unknown");
  expect(await staleWhy(shown.tab, "the button")).toBe("unknown");
});

test("the ref of a frame that was loaded again is refused", async () => {
  shown.fixture.documents.set("/inner", "<button>In</button>");
  await show(`<iframe src="/inner"></iframe>`);
  const old = await shown.tab.refOf("button", "In");
  shown.fixture.documents.set("/inner", "<button>Other</button>");
  const frame = shown.tab.page.frames()[1];
  await frame?.goto(`${shown.fixture.origin}/inner`);
  await shown.tab.list();
  expect(await staleWhy(shown.tab, old)).toBe("other_document");
  await run(`document.querySelector("iframe").remove()`);
  expect(await staleWhy(shown.tab, old)).toBe("detached");
});
