// A button whose name there is once, in a row of several cells: bound to the row, not to its cell alone,
// however alike the cells are.

import { describe, expect, it } from "vitest";
import { useShownTab } from "./shown-tab.js";
import { staleWhy } from "./tab-fixture.js";

/** More than what counts as one change. */
const APART_MS = 40;

const shown = useShownTab();
const { run } = shown;
const refOfDelete = () => shown.tab.refOf("button", "Delete");
const why = async (ref: string) => staleWhy(shown.tab, ref);

const NAME = "<b class=name>Alice</b>";
const EDIT = "<button>Edit</button>";
const DELETE = "<button>Delete</button>";
const LONG = "A long story. ".repeat(30);

const ROWS: readonly (readonly [string, string])[] = [
  [
    "a line of a table",
    `<table><tr><td>${NAME}</td><td>${EDIT}</td><td>${DELETE}</td></tr></table>`,
  ],
  [
    "a line with a link",
    `<table><tr><td><a href="#a" class=name>Alice</a></td><td>${DELETE}</td></tr></table>`,
  ],
  [
    "a line with boxes in its cells",
    `<table><tr><td>${NAME}</td><td>${EDIT}</td><td><div><div>${DELETE}</div></div></td></tr></table>`,
  ],
  [
    "a list item",
    `<ul><li>${NAME}<div class=a>${EDIT}</div><div class=a>${DELETE}</div></li></ul>`,
  ],
  [
    "a list item whose parts have words",
    `<ul><li>${NAME}<div class=a>Home ${EDIT}</div><div class=a>Danger ${DELETE}</div></li></ul>`,
  ],
  ["an article", `<article>${NAME}<div><div>${EDIT}</div><div>${DELETE}</div></div></article>`],
  [
    "a row of a grid",
    `<div role=row><div role=gridcell>${NAME}</div><div role=gridcell>${DELETE}</div></div>`,
  ],
  [
    "a card that lies far down in an article",
    `<article><p>${LONG}</p><div class=a>Note of Bob</div><div class=a>${NAME} ${DELETE}</div></article>`,
  ],
];

describe.each(ROWS)("in %s", (_what, html) => {
  it("it is refused when another record is written there, and listed by another ref", async () => {
    await shown.show(html);
    const ref = await refOfDelete();
    await run(`document.querySelector(".name").textContent = "Bob"`);
    expect(await why(ref)).toBe("changed");
    expect(await refOfDelete()).not.toBe(ref);
  });

  it("it is found while nothing changes, and has the same ref", async () => {
    await shown.show(html);
    const ref = await refOfDelete();
    expect(await why(ref)).toBe("found");
    expect(await refOfDelete()).toBe(ref);
    await run(`document.body.insertAdjacentHTML("beforeend", "<p>More</p>")`);
    expect(await why(ref)).toBe("found");
  });
});

describe("a line of a table", () => {
  const line = (text: string) =>
    `<table><tr><td>${NAME}</td><td><i>${text}</i></td><td>${DELETE}</td></tr></table>`;

  it("is the same while a number in it goes on by itself", async () => {
    await shown.show(line("45%"));
    const ref = await refOfDelete();
    await run(`(async () => {
      for (const text of ["46%", "47%", "48%"]) {
        document.querySelector("i").textContent = text;
        await new Promise((done) => setTimeout(done, ${APART_MS}));
      }
    })()`);
    expect(await why(ref)).toBe("found");
    expect(await refOfDelete()).toBe(ref);
  });

  it.each([
    ["another line comes", `document.querySelector("tr").after(document.createElement("tr"))`],
    [
      "a cell without words comes",
      `document.querySelector("tr").append(document.createElement("td"))`,
    ],
    ["a cell goes", `document.querySelector("i").parentNode.hidden = true`],
  ])("is the same when %s", async (_what, script) => {
    await shown.show(line("open"));
    const ref = await refOfDelete();
    await run(script);
    expect(await why(ref)).toBe("found");
  });
});
