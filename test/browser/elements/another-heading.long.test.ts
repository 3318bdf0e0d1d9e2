// Another element as the heading before one whose name there is once: pages that draw their parts anew
// put one heading in the place of another, and the words say whether it is another part.

import { describe, expect, it } from "vitest";
import { useShownTab } from "./shown-tab.js";
import { staleWhy } from "./tab-fixture.js";

/** More than what counts as one change. */
const APART_MS = 40;

const shown = useShownTab();
const { run, showGo: show } = shown;
const why = (ref: string) => staleWhy(shown.tab, ref);
const GO = "<button id=go>Go</button>";
const replaced = (words: string) => `const other = document.createElement("h2");
  other.textContent = "${words}"; x.replaceWith(other);`;

describe("a button is refused, and listed by another ref, when another heading", () => {
  it.each([
    ["takes the place", `<main><h2 id=x>Ann</h2>${GO}</main>`, replaced("Bob")],
    [
      "is written with what is around it",
      `<main><header id=x><h2>Ann</h2><p>a@x</p></header>${GO}</main>`,
      `x.innerHTML = "<h2>Bob</h2><p>b@x</p>"`,
    ],
    [
      "is shown after it instead",
      `<h2 id=x>Ann</h2><h2 id=y hidden>Bob</h2>${GO}`,
      "x.hidden = true; y.hidden = false",
    ],
    [
      "is shown before it instead",
      `<h2 id=y hidden>Bob</h2><h2 id=x>Ann</h2>${GO}`,
      "x.hidden = true; y.hidden = false",
    ],
    [
      "comes between the two",
      `<h2>Ann</h2>${GO}`,
      `go.insertAdjacentHTML("beforebegin", "<h2>Bob</h2>")`,
    ],
    [
      "takes the place in a dialog with a name",
      `<div role=dialog aria-label=Confirm><h2 id=x>Delete Ann?</h2>${GO}</div>`,
      replaced("Delete Bob?"),
    ],
    [
      "of an older kind takes the place",
      `<div id=x role=heading aria-level=3>Ann</div>${GO}`,
      `x.outerHTML = "<div role=heading aria-level=3>Bob</div>"`,
    ],
    [
      "stands before the element that shows it",
      `<h2 id=x>Ann</h2><div id=y></div><script>
        y.attachShadow({ mode: "open" }).innerHTML = "${GO}";</script>`,
      replaced("Bob"),
    ],
  ])("%s", async (_what, html, script) => {
    const ref = await show(html);
    expect(await why(ref)).toBe("found");
    await run(script);
    expect(await why(ref)).toBe("changed");
    const now = await shown.tab.refOf("button", "Go");
    expect(now).not.toBe(ref);
    expect(await why(now)).toBe("found");
  });
});

describe("a button is found, and keeps its ref, when", () => {
  it.each([
    ["the heading is made anew", `<main><h2 id=x>Ann</h2>${GO}</main>`, replaced("Ann")],
    [
      "the heading is shown in another size",
      `<h1 id=x>Ann</h1><h2 id=y hidden>Ann</h2>${GO}`,
      "x.hidden = true; y.hidden = false",
    ],
    [
      "a smaller heading comes",
      `<h2>Ann</h2>${GO}`,
      `go.insertAdjacentHTML("beforebegin", "<h3>Address</h3>")`,
    ],
    [
      "the heading goes, and a larger one is left",
      `<h1>Shop</h1><h2 id=x>Ann</h2>${GO}`,
      "x.remove()",
    ],
    [
      "a heading comes in a list before it",
      `<h2>Ann</h2><ul id=x></ul>${GO}`,
      `x.innerHTML = "<li><h2>Bob</h2></li>"`,
    ],
    [
      "a heading comes that is not shown",
      `<h2>Ann</h2>${GO}`,
      `go.insertAdjacentHTML("beforebegin", "<h2 hidden>Bob</h2><h2 aria-hidden=true>Cid</h2>")`,
    ],
    [
      "a heading comes in a link",
      `<h2>Ann</h2>${GO}`,
      `go.insertAdjacentHTML("beforebegin", "<a href='#'><h2>Bob</h2></a>")`,
    ],
    [
      "another heading comes in the main part",
      `<main id=x><h1>Ann</h1></main><footer>${GO}</footer>`,
      `x.innerHTML = "<h1>Bob</h1>"`,
    ],
    [
      "a heading comes after it",
      `<h2>Ann</h2>${GO}`,
      `go.insertAdjacentHTML("afterend", "<h2>Bob</h2>")`,
    ],
  ])("%s", async (_what, html, script) => {
    const ref = await show(html);
    await run(script);
    expect(await why(ref)).toBe("found");
    expect(await shown.tab.refOf("button", "Go")).toBe(ref);
  });

  it.each([
    ["are shown in turn", "each.hidden = at !== turn % 2"],
    ["are written in turn", `x.innerHTML = "<h2>" + "abcd"[turn] + "</h2>"`],
  ])("headings before it %s by themselves", async (_what, turned) => {
    const slides = "<div><h2>Tea</h2></div><div hidden><h2>Rum</h2></div>";
    const ref = await show(`<h1>Shop</h1><div id=x>${slides}</div>${GO}`);
    await run(`(async () => {
      for (const turn of [1, 2, 3]) {
        [...x.children].forEach((each, at) => { ${turned} });
        await new Promise((done) => setTimeout(done, ${APART_MS}));
      }
    })()`);
    expect(await why(ref)).toBe("found");
  });
});
