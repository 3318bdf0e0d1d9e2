// What stands over several things, and over the days of a calendar: the same rows under another title
// are other rows, and the same day in another month is another day.

import { describe, expect, it } from "vitest";
import { useShownTab } from "./shown-tab.js";
import { staleWhy } from "./tab-fixture.js";

const shown = useShownTab();
const { run } = shown;

const GO = "<button>Go</button>";
const LIST = `<ul><li>Laptop ${GO}<li>Phone ${GO}</ul>`;
const TABLE = `<table><tr><td>Laptop<td>${GO}<tr><td>Phone<td>${GO}</table>`;

/** The ref of the second of several. */
async function second(html: string, name = "Go"): Promise<string> {
  await shown.show(html);
  return listedSecond(name);
}

async function listedSecond(name: string): Promise<string> {
  const found = (await shown.tab.list()).elements.filter((each) => each.name === name && each.ref);
  return found[1]?.ref ?? found[0]?.ref ?? "";
}

const TITLES: readonly (readonly [string, string])[] = [
  ["a heading over a list", `<main><h1 id=x>Cart of Ann</h1>${LIST}</main>`],
  ["a heading over a table", `<main><h1 id=x>Cart of Ann</h1>${TABLE}</main>`],
  ["their dialog", `<div role=dialog aria-labelledby=x><h1 id=x>Cart of Ann</h1>${LIST}</div>`],
  ["their panel", `<b id=x>Ann</b><div role=tabpanel aria-labelledby=x>${LIST}</div>`],
  ["the entry that they are entries of", `<ul><li><span id=x>Ann</span>${LIST}</ul>`],
  [
    "a row before them that is one cell",
    `<table><tr><td colspan=2 id=x>Ann<tr><td>Laptop<td>${GO}<tr><td>Phone<td>${GO}</table>`,
  ],
  [
    "a cell that reaches down to them",
    `<table><tr><td rowspan=3 id=x>Ann<td>Lamp<tr><td>Laptop<td>${GO}<tr><td>Phone<td>${GO}</table>`,
  ],
];

describe("equal buttons in rows are refused when another name is given to", () => {
  it.each(TITLES)("%s", async (_what, html) => {
    const ref = await second(html);
    expect(await staleWhy(shown.tab, ref)).toBe("found");
    await run(`x.textContent = "Cart of Bob"`);
    expect(await staleWhy(shown.tab, ref)).toBe("changed");
    expect(await listedSecond("Go")).not.toBe(ref);
  });

  it("a heading that is another element by then", async () => {
    const ref = await second(`<main><h1 id=x>Cart of Ann</h1>${LIST}</main>`);
    await run(`x.outerHTML = "<h1>Cart of Bob</h1>"`);
    expect(await staleWhy(shown.tab, ref)).toBe("changed");
  });

  it.each(
    "region grid list toolbar tree table complementary article navigation main search".split(" "),
  )("what has the role %s, and a button that is alone there too", async (role) => {
    for (const inner of [LIST, GO]) {
      const ref = await second(`<div role=${role} aria-label="Cart of Ann" id=x>${inner}</div>`);
      expect(await staleWhy(shown.tab, ref)).toBe("found");
      await run(`x.ariaLabel = "Cart of Bob"`);
      expect(await staleWhy(shown.tab, ref)).toBe("changed");
    }
  });
});

describe("equal buttons in rows are found when", () => {
  it.each([
    [
      "the count over them changes",
      `<h2 id=x>3 items in the cart</h2>${LIST}`,
      "1 item in the cart",
    ],
    ["a count comes", `<h2 id=x>Inbox</h2>${LIST}`, "Inbox (3)"],
    ["a heading after them changes", `${LIST}<h2 id=x>Ann</h2>`, "Bob"],
    [
      "the heading of another card changes",
      `<div><div class=c><h3 id=x>Ann</h3>${GO}</div><div class=c><h3>Bob</h3>${GO}</div></div>`,
      "Cid",
    ],
  ])("%s", async (_what, html, text) => {
    const ref = await second(html);
    await run(`x.textContent = ${JSON.stringify(text)}`);
    expect(await staleWhy(shown.tab, ref)).toBe("found");
  });
});

describe("what a holder is called by", () => {
  it.each([
    [
      "a button without a text",
      `<button id=a aria-label="Actions for Ann"></button><button id=b aria-label="Actions for Bob"></button>
      <div id=x role=menu aria-labelledby=a><div role=menuitem tabindex=0>Go</div></div>`,
      `x.setAttribute("aria-labelledby", "b")`,
    ],
    [
      "a picture",
      `<div role=dialog aria-labelledby=t><div id=t><img id=x alt=Ann width=9></div>${GO}</div>`,
      `x.alt = "Bob"`,
    ],
    [
      "what describes a dialog",
      `<div role=dialog aria-label=Sure aria-describedby=x><p id=x>Remove Ann?</p><input>${GO}</div>`,
      `x.textContent = "Remove Bob?"`,
    ],
    [
      "what a dialog asks",
      `<div role=dialog><h2>Sure?</h2><p id=x>Ann will be removed</p>${GO}</div>`,
      `x.textContent = "Bob will be removed"`,
    ],
  ])("counts: %s", async (_what, html, script) => {
    const ref = await second(html);
    expect(await staleWhy(shown.tab, ref)).toBe("found");
    await run(script);
    expect(await staleWhy(shown.tab, ref)).toBe("changed");
  });

  it("does not: what is said in a dialog with fields", async () => {
    const ref = await second(
      `<div role=dialog><h2>Sign up</h2><p id=x></p><input aria-label=Name>${GO}</div>`,
    );
    await run(`x.textContent = "The name is too short"`);
    expect(await staleWhy(shown.tab, ref)).toBe("found");
  });
});

const DAYS = Array.from({ length: 30 }, (_, at) => `<button>${at + 1}</button>`).join("");
const WEEKS = `<table>${Array.from(
  { length: 5 },
  (_, week) =>
    `<tr>${Array.from({ length: 7 }, (__, day) => `<td role=gridcell tabindex=-1>${week * 7 + day - 2 > 0 ? week * 7 + day - 2 : ""}`).join("")}`,
).join("")}</table>`;
const grid = (days: string) => `<div role=grid id=g>${days}</div>`;

describe("a day of a calendar is another one when the month is, said by", () => {
  it.each([
    [
      "a box",
      `<div><div id=x>November 2026</div>${grid(DAYS)}</div>`,
      `x.textContent = "December 2026"`,
    ],
    [
      "a button",
      `<div><button id=x>Nov 2026</button>${grid(DAYS)}</div>`,
      `x.textContent = "Dec 2026"`,
    ],
    [
      "a list to choose from",
      `<div><select id=x><option>November<option>December</select>${grid(DAYS)}</div>`,
      "x.selectedIndex = 1",
    ],
    ["a field", `<div><b>May</b><input id=x value=2026>${grid(DAYS)}</div>`, "x.value = 2027"],
    [
      "the grid",
      `<div id=x role=grid aria-label="November 2026">${DAYS}</div>`,
      `x.ariaLabel = "December 2026"`,
    ],
    ["numbers", `<div><i id=x>11/2026</i>${grid(DAYS)}</div>`, `x.textContent = "12/2026"`],
    [
      "another language",
      `<div><i id=x>2026年11月</i>${grid(DAYS)}</div>`,
      `x.textContent = "2026年12月"`,
    ],
    [
      "a title over a table",
      `<div><p id=x>November 2026</p>${WEEKS}</div>`,
      `x.textContent = "December 2026"`,
    ],
  ])("%s", async (_what, html, script) => {
    const ref = await second(html, "15");
    expect(await staleWhy(shown.tab, ref)).toBe("found");
    await run(script);
    expect(await staleWhy(shown.tab, ref)).toBe("changed");
  });

  it.each([
    ["a day is chosen", `x.insertAdjacentHTML("afterend", "<i>Sun, 8 Nov 2026</i>")`],
    ["days are marked", `document.querySelectorAll("button")[4].ariaPressed = "true"`],
  ])("and the same one when %s", async (_what, script) => {
    const ref = await second(`<div><p id=x>November 2026</p>${grid(DAYS)}</div>`, "15");
    await run(script);
    expect(await staleWhy(shown.tab, ref)).toBe("found");
  });

  it("and pages of a list are no days", async () => {
    const ref = await second(`<p id=x>News of May 2026</p><a href=#1>1</a> <a href=#2>2</a>`, "2");
    await run(`x.textContent = "News of June 2026"`);
    expect(await staleWhy(shown.tab, ref)).toBe("found");
  });
});
