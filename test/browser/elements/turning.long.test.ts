// What changes by itself and still says what is meant: numbers that name a row, and titles of a show that
// turns together with what is acted on.

import { describe, expect, it } from "vitest";
import { useShownTab } from "./shown-tab.js";

/** More than what counts as one change. */
const APART_MS = 40;

const shown = useShownTab();
const { allWhy } = shown;
/** Nobody looks at a page before it is listed once. */
const show = async (html: string) => {
  await shown.show(html);
  await shown.tab.list();
};
/** Writes each text in its turn; `@` becomes the place of the element among those that are written. */
const turn = (texts: readonly string[]) =>
  shown.run(`(async () => {
    for (const text of ${JSON.stringify(texts)}) {
      for (const [at, each] of document.querySelectorAll("i").entries())
        each.textContent = text.replace("@", String(at));
      await new Promise((done) => setTimeout(done, ${APART_MS}));
    }
  })()`);
const rows = (before: string, first: string) =>
  ["ready", "waiting"]
    .map((word) => `<li>${before}<i>${first}</i> ${word} <button>Go</button></li>`)
    .join("");

describe("numbers that go on in rows make others of them", () => {
  it.each([
    ["in a code", "", ["INV-100@", "INV-101@", "INV-102@", "INV-103@"]],
    ["behind a word", "", ["Order 1@", "Order 2@", "Order 3@", "Order 4@"]],
    ["behind a word in another element", "Ticket ", ["1@", "2@", "3@", "4@"]],
    ["behind a sign", "", ["#1@", "#2@", "#3@", "#4@"]],
  ])("%s", async (_what, before, [first = "", ...texts]) => {
    await show(`<ul>${rows(before, first)}</ul>`);
    await turn([first, ...texts.slice(0, 2)]);
    const refs = await shown.refsWith({ name: "Go" });
    expect(await allWhy(refs)).toEqual(["found", "found"]);
    await turn(texts.slice(2));
    expect(await allWhy(refs)).toEqual(["changed", "changed"]);
  });

  it("of one row alone", async () => {
    await show(`<ul><li><i>INV-1001</i> ready <button>Go</button></li></ul>`);
    const refs = await shown.refsWith({ name: "Go" });
    await turn(["INV-1002", "INV-1003", "INV-1004"]);
    expect(await allWhy(refs)).toEqual(["changed"]);
  });

  it.each([
    ["over it", "<h2>Order <i>7</i></h2>"],
    ["in a box of its own over it", "<div><h2>Order <i>7</i></h2></div>"],
    ["that its part is called by", "<p id=p>Order <i>7</i></p>"],
  ])("in the heading %s", async (_what, heading) => {
    await show(`<main>${heading}<section aria-labelledby=p><button>Go</button></section></main>`);
    const refs = await shown.refsWith({ name: "Go" });
    await turn(["8", "9", "10"]);
    expect(await allWhy(refs)).toEqual(["changed"]);
  });
});

describe("a title that turns by itself", () => {
  const TITLES = ["Green coat", "Grey sock", "Red shoe", "Blue hat"];
  it.each([
    [
      "in one box with the button",
      (title: string) => `<div>${title}<p>x</p><button>Go</button></div>`,
    ],
    [
      "in one box with what the button is in",
      (title: string) => `<div>${title}<p><button>Go</button></p></div>`,
    ],
  ])("%s makes another of it", async (_what, toHtml) => {
    await show(`<h1>Shop</h1>${toHtml(`<h3><i>${TITLES[0]}</i></h3>`)}`);
    await turn(TITLES.slice(1, 3));
    const refs = await shown.refsWith({ name: "Go" });
    await turn(TITLES.slice(3));
    expect(await allWhy(refs)).toEqual(["changed"]);
  });

  it("leaves a button outside of its box, and one of which only a number turns", async () => {
    await show(`<div><h3><i>${TITLES[0]}</i></h3></div><button>Go</button>`);
    const outside = await shown.refsWith({ name: "Go" });
    await turn(TITLES);
    expect(await allWhy(outside)).toEqual(["found"]);
    await show(`<div><h3><i>Bids 1</i></h3><button>Go</button></div>`);
    const inside = await shown.refsWith({ name: "Go" });
    await turn(["Bids 2", "Bids 3", "Bids 4"]);
    expect(await allWhy(inside)).toEqual(["found"]);
  });
});
