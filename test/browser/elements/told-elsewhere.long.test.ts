// Equal elements that are told apart by words that stand elsewhere: over their column, or where an
// attribute points to.

import { describe, expect, it } from "vitest";
import { useShownTab } from "./shown-tab.js";

const shown = useShownTab();
const { show, run } = shown;
const refsOf = (role: string) => shown.refsWith({ role });
const allWhy = async (refs: readonly string[]) => new Set(await shown.allWhy(refs));

const head = (text: string) => `<th class=h>${text}</th>`;
const cell = "<td><button>Book</button></td>";
const TABLES: Readonly<Record<string, string>> = {
  "in one line of a table": `<table><tr>${head("Mon")}${head("Tue")}</tr><tr>${cell}${cell}</tr></table>`,
  "in several lines with names": `<table><tr><th></th>${head("Mon")}${head("Tue")}</tr>
    <tr><th>Ann</th>${cell}${cell}</tr><tr><th>Bob</th>${cell}${cell}</tr></table>`,
  "under a head with wide cells": `<table><thead><tr><td colspan=2>Week</td>${head("Mon")}${head("Tue")}</tr></thead>
    <tbody><tr><td>a</td><td>b</td>${cell}${cell}</tr></tbody></table>`,
  "whose cells name their heads": `<p class=h id=x>Mon</p><p class=h id=y>Tue</p><table><tr>
    <td headers=x><button>Book</button></td><td headers=y><button>Book</button></td></tr></table>`,
  "in a grid of divisions": `<div role=grid><div role=row><span role=columnheader class=h>Mon</span>
    <span role=columnheader class=h>Tue</span></div><div role=row><span role=gridcell><button>Book</button></span>
    <span role=gridcell><button>Book</button></span></div></div>`,
};

describe("equal buttons", () => {
  it.each(Object.entries(TABLES))(
    "%s stand under the heads of their columns",
    async (_how, html) => {
      await show(html);
      const refs = await refsOf("button");
      expect(await allWhy(refs)).toEqual(new Set(["found"]));
      await run(
        `document.querySelectorAll(".h").forEach((each, at) => { each.textContent += at ? " ▲" : " ▼"; })`,
      );
      expect(await allWhy(refs)).toEqual(new Set(["found"]));
      await run(
        `document.querySelectorAll(".h").forEach((each, at) => { each.textContent = ["Tue", "Mon"][at]; })`,
      );
      expect(await allWhy(refs)).toEqual(new Set(["changed"]));
    },
  );

  it("in lines of their own do not depend on heads", async () => {
    await show(
      `<table><tr>${head("Name")}${head("Do")}</tr><tr><td>Ann</td>${cell}</tr><tr><td>Bob</td>${cell}</tr></table>`,
    );
    const refs = await refsOf("button");
    await run(`document.querySelectorAll(".h").forEach((each) => { each.textContent = "Other"; })`);
    expect(await allWhy(refs)).toEqual(new Set(["found"]));
  });

  it("do not depend on the first line of a table without heads", async () => {
    await show(
      `<table><tr><th>Ann</th><td id=t>one</td>${cell}${cell}</tr><tr><th>Bob</th><td>two</td>${cell}${cell}</tr></table>`,
    );
    const [, , ...refs] = await refsOf("button");
    await run(`t.textContent = "three"`);
    expect(await allWhy(refs)).toEqual(new Set(["found"]));
  });

  it("are told apart by what describes them, in words of their own", async () => {
    const button = (name: string) => `<li><button aria-description="Deletes ${name}">Del</button>`;
    await show(`<ul>${button("Ann")}${button("Bob")}</ul>`);
    const refs = await refsOf("button");
    expect(await allWhy(refs)).toEqual(new Set(["found"]));
    await run(`const [one, two] = document.querySelectorAll("button");
      one.ariaDescription = "Deletes Bob"; two.ariaDescription = "Deletes Ann"`);
    expect(await allWhy(refs)).toEqual(new Set(["changed"]));
  });

  const NAMES = `<b id=x>Ann</b><b id=y>Bob</b>`;
  it.each([
    [
      "are described by",
      `<div><button aria-describedby=x>Book</button><button aria-describedby=y>Book</button></div>`,
    ],
    [
      "stand in groups that are labelled by",
      `<div role=group aria-labelledby=x><button>Book</button></div><div role=group aria-labelledby=y><button>Book</button></div>`,
    ],
    [
      "stand in lists of equal items that are labelled by",
      `<ul aria-labelledby=x><li><button>Book</button><li><button>Book</button></ul>
       <ul aria-labelledby=y><li><button>Book</button><li><button>Book</button></ul>`,
    ],
  ])("%s other elements are told apart by those", async (_how, html) => {
    await show(NAMES + html);
    const refs = await refsOf("button");
    expect(await allWhy(refs)).toEqual(new Set(["found"]));
    await run(`x.textContent = "Bob"; y.textContent = "Ann"`);
    expect(await allWhy(refs)).toEqual(new Set(["changed"]));
  });

  it("do not depend on hints that come with the pointer", async () => {
    await show(
      `<ul><li>Ann <button>Book</button><li>Bob <button>Book</button></ul><p id=t role=tooltip>Hint</p>`,
    );
    const refs = await refsOf("button");
    await run(`document.querySelector("button").setAttribute("aria-describedby", "t")`);
    expect(await allWhy(refs)).toEqual(new Set(["found"]));
  });
});
