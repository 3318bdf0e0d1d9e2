// Elements whose name there is once: bound to the names of what they stand in, and to the heading before
// them, because pages use one dialog, one form, one panel for several things.

import { describe, expect, it } from "vitest";
import { useShownTab } from "./shown-tab.js";
import { staleWhy } from "./tab-fixture.js";

/** More than what counts as one change. */
const APART_MS = 40;

const shown = useShownTab();
const { run, showGo: show } = shown;
const GO = "<button>Go</button>";

describe("a button is refused when another name is given to", () => {
  it.each([
    [
      "its dialog by a heading",
      `<dialog open><form><h2 id=x>Delete Ann?</h2>${GO}</form></dialog>`,
    ],
    [
      "its dialog by a reference",
      `<b id=x>Delete Ann?</b><div role=alertdialog aria-labelledby=x>${GO}</div>`,
    ],
    ["its panel", `<b id=x>Profile</b><div role=tabpanel aria-labelledby=x><div>${GO}</div></div>`],
    ["its group", `<fieldset><legend id=x>Keep data</legend>${GO}</fieldset>`],
    ["its table", `<table><caption id=x>Ann</caption><tr><td>${GO}</td></tr></table>`],
    [
      "its section",
      `<h3 id=x>Ann</h3><section aria-labelledby=x><div><p>text</p></div>${GO}</section>`,
    ],
    ["the step of its form", `<form><h2 id=x>Step one</h2><input aria-label=Street>${GO}</form>`],
    ["its card", `<div class=card><h3 id=x>Ann</h3>${GO}</div>`],
    [
      "what stands before it",
      `<main><article><h2 id=x>Mail of Ann</h2><p>text</p></article><div role=toolbar>${GO}</div></main>`,
    ],
  ])("%s", async (_what, html) => {
    const ref = await show(html);
    expect(await staleWhy(shown.tab, ref)).toBe("found");
    await run(`x.textContent = "Other"`);
    expect(await staleWhy(shown.tab, ref)).toBe("changed");
    expect(await shown.tab.refOf("button", "Go")).not.toBe(ref);
  });

  it.each([
    ["the tab of the only panel", "", ""],
    [
      "the tab that controls its panel",
      "aria-controls=p",
      `<b role=tab aria-selected=true>Far</b>`,
    ],
  ])("%s", async (_what, controls, beside) => {
    const tab = (name: string, isOn: boolean) =>
      `<b role=tab ${controls} aria-selected=${isOn}>${name}</b>`;
    const tabs = `<div role=tablist>${tab("Ann", true)}${tab("Bob", false)}</div>`;
    const ref = await show(`${tabs}<div role=tabpanel id=p>${GO}</div>${beside}`);
    expect(await staleWhy(shown.tab, ref)).toBe("found");
    await run(`document.querySelectorAll("[role=tablist] > b").forEach((each) => {
      each.ariaSelected = String(each.ariaSelected !== "true"); })`);
    expect(await staleWhy(shown.tab, ref)).toBe("changed");
  });

  it("its menu", async () => {
    const ref = await show(`<div role=menu id=x aria-label="Actions for Ann">${GO}</div>`);
    await run(`x.ariaLabel = "Actions for Bob"`);
    expect(await staleWhy(shown.tab, ref)).toBe("changed");
  });
});

describe("a button is found when", () => {
  it.each([
    [
      "the texts around it change",
      `<main><h1>Ann</h1><p id=x>one</p>${GO}</main>`,
      `x.textContent = "two"`,
    ],
    ["the heading before it goes", `<h1 id=x>Ann</h1>${GO}`, `x.remove()`],
    ["a heading comes before it", `<h1>Ann</h1><p id=x></p>${GO}`, `x.outerHTML = "<h2>Bob</h2>"`],
    ["a heading after it changes", `<h1>Ann</h1>${GO}<h2 id=x>Bob</h2>`, `x.textContent = "Cid"`],
    ["what it stands in gets a name", `<div role=group id=x>${GO}</div>`, `x.ariaLabel = "Ann"`],
    [
      "a heading of another part changes",
      `<main><h1 id=x>Ann</h1></main><footer>${GO}</footer>`,
      `x.textContent = "Bob"`,
    ],
  ])("%s", async (_what, html, script) => {
    const ref = await show(html);
    await run(script);
    expect(await staleWhy(shown.tab, ref)).toBe("found");
  });

  it.each([
    ["has a number that goes on", "h2", ["Bids 2", "Bids 3", "Bids 4", "Bids 5"]],
    ["in a box of its own turns by itself", "div", ["Tea", "Rum", "Milk", "Salt"]],
  ])("the heading before it %s", async (_what, box, texts) => {
    const heading = `<h2 id=x>${texts[0]}</h2>`;
    const ref = await show(`${box === "div" ? `<div>${heading}</div>` : heading}${GO}`);
    await run(`(async () => {
      for (const text of ${JSON.stringify(texts)}) {
        x.textContent = text;
        await new Promise((done) => setTimeout(done, ${APART_MS}));
      }
    })()`);
    expect(await staleWhy(shown.tab, ref)).toBe("found");
  });
});
