// Numbers in rows: one that goes on by itself is no mark of its row, once it was seen to; any other
// number is, because rows are often told apart by nothing else.

import { describe, expect, it } from "vitest";
import { useShownTab } from "./shown-tab.js";

/** More than what counts as one change. */
const APART_MS = 40;

const shown = useShownTab();
const { show, allWhy } = shown;
const refsOf = (name: string) => shown.refsWith({ name });
/** Writes each text in its turn into the places, as a page does that has a timer. */
const write = (texts: readonly string[], how = "textContent") =>
  shown.tab.page.evaluate(`(async () => {
    for (const text of ${JSON.stringify(texts)}) {
      for (const [at, each] of document.querySelectorAll("i").entries()) {
        const value = text.replace("@", String(at));
        if ("${how}" === "data") each.firstChild.nodeValue = value;
        else each.textContent = value;
      }
      await new Promise((done) => setTimeout(done, ${APART_MS}));
    }
  })()`);
const rows = (text: string) =>
  ["Ann", "Bob"]
    .map((name) => `<li><b>${name}</b> <i>${text}</i> <button>Open</button></li>`)
    .join("");

const KINDS: readonly (readonly [string, readonly [string, ...string[]]])[] = [
  ["a time", ["08:15", "18:15", "19:15", "20:15"]],
  ["a duration", ["3 days", "21 days", "22 days", "23 days"]],
  ["a price", ["$101.20", "$1,101.30", "$99", "$98.5"]],
  ["a percent", ["45%", "46%", "47%", "48%"]],
  [
    "a count",
    [
      "3 people are looking",
      "4 people are looking",
      "5 people are looking",
      "6 people are looking",
    ],
  ],
];

describe.each(KINDS)("%s in a row", (_kind, [first, second, ...more]) => {
  it("that is written anew makes another row of it", async () => {
    await show(`<ul>${rows(first)}</ul>`);
    const refs = await refsOf("Open");
    await write([second ?? ""]);
    expect(await allWhy(refs)).toEqual(["changed", "changed"]);
  });

  it.each(["textContent", "data"])(
    "that goes on by itself does not, written as %s",
    async (how) => {
      await show(`<ul>${rows(first)}</ul>`);
      const refs = await refsOf("Open");
      await write([second ?? "", ...more], how);
      expect(await allWhy(refs)).toEqual(["found", "found"]);
      expect(await refsOf("Open")).toEqual(refs);
      await write([first], how);
      expect(await allWhy(refs)).toEqual(["found", "found"]);
    },
  );
});

describe("numbers that go on", () => {
  it("do not hide a word that changes with them", async () => {
    await show(`<ul>${rows("1 open")}</ul>`);
    const refs = await refsOf("Open");
    await write(["2 open", "3 open", "4 open", "5 done"]);
    expect(await allWhy(refs)).toEqual(["changed", "changed"]);
  });

  it("do not hide another number that is written anew", async () => {
    await show(
      `<ul>${["Ann", "Bob"]
        .map((name) => `<li><b>${name} 08:15</b> <i>1%</i> <button>Open</button></li>`)
        .join("")}</ul>`,
    );
    const refs = await refsOf("Open");
    await write(["2%", "3%", "4%"]);
    expect(await allWhy(refs)).toEqual(["found", "found"]);
    await shown.tab.page.evaluate(`document.querySelector("b").textContent = "Ann 18:15"`);
    expect(await allWhy(refs)).toEqual(["changed", "found"]);
  });

  it("do not hide numbers that elements bring along from another row", async () => {
    await show(`<ul>${rows("1%")}</ul>`);
    await shown.tab.page.evaluate(
      `document.querySelectorAll("b").forEach((each, at) => { each.innerHTML += " <u>" + at + "</u>"; })`,
    );
    const refs = await refsOf("Open");
    await write(["2%", "3%", "4%"]);
    await shown.tab.page.evaluate(`{ const [x, y] = document.querySelectorAll("u"); const place = y.parentNode;
      x.parentNode.append(y); place.append(x); }`);
    expect(await allWhy(refs)).toEqual(["changed", "changed"]);
  });

  it("are all that rows have to be told apart by: then none is found", async () => {
    await show(
      `<ul>${[0, 1].map((at) => `<li>Lot <i>${at}</i> <button>Bid</button></li>`).join("")}</ul>`,
    );
    const refs = await refsOf("Bid");
    await write(["1@", "2@", "3@", "4@"]);
    expect(await allWhy(refs)).toEqual(["changed", "changed"]);
  });

  it("leave rows that stand side by side, and elements of names that there are once", async () => {
    await show(
      `<div>${["Ann", "Bob"]
        .map((name) => `<b>${name}</b> <i>1%</i> <button>Open</button>`)
        .join("")}</div><ul><li>Cid <i>1%</i> <button>Close</button></li></ul>`,
    );
    const refs = [...(await refsOf("Open")), ...(await refsOf("Close"))];
    await write(["2%", "3%", "4%"]);
    expect(await allWhy(refs)).toEqual(["found", "found", "found"]);
    await shown.tab.page.evaluate(`document.querySelector("li").firstChild.nodeValue = "Dan "`);
    expect(await allWhy(refs)).toEqual(["found", "found", "changed"]);
  });
});
