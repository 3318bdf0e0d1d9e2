// Equal buttons whose places are exchanged without a text being written or a node being moved: by slots,
// by styles; and names that differ only at the end of many words.

import { describe, expect, it } from "vitest";
import { useShownTab } from "./shown-tab.js";

const shown = useShownTab();
const { show, run, allWhy } = shown;
const refsOf = (name: string) => shown.refsWith({ name });
const DELETE = "<button>Delete</button>";

/** Two rows, and what exchanges them. */
const EXCHANGED = [
  [
    "texts in slots beside them",
    `<div id=host><template shadowrootmode=open><p><slot name=first></slot>${DELETE}</p><p><slot name=second></slot>${DELETE}</p></template>
      <b id=x slot=first>Ann</b><b id=y slot=second>Bob</b></div>`,
    "[x.slot, y.slot] = [y.slot, x.slot]",
  ],
  [
    "texts in slots of slots beside them",
    `<div id=outer><template shadowrootmode=open><div id=inner><template shadowrootmode=open><p><slot name=first></slot>${DELETE}</p><p><slot name=second></slot>${DELETE}</p></template>
      <slot name=one slot=first></slot><slot name=two slot=second></slot></div></template><b id=x slot=one>Ann</b><b id=y slot=two>Bob</b></div>`,
    "[x.slot, y.slot] = [y.slot, x.slot]",
  ],
  [
    "the slots they are in",
    `<div id=host><template shadowrootmode=open><p>Ann <slot name=first></slot></p><p>Bob <slot name=second></slot></p></template>
      <button id=x slot=first>Delete</button><button id=y slot=second>Delete</button></div>`,
    "[x.slot, y.slot] = [y.slot, x.slot]",
  ],
  [
    "words that styles show",
    `<style>.a::before { content: "Ann" } .b::before { content: "Bob" }</style><p id=x class=a>${DELETE}</p><p id=y class=b>${DELETE}</p>`,
    "[x.className, y.className] = [y.className, x.className]",
  ],
  [
    "words that styles show by a rule that is written anew",
    `<style>#x::before { content: "Ann" } #y::before { content: "Bob" }</style><p id=x>${DELETE}</p><p id=y>${DELETE}</p>`,
    `{ const [first, second] = document.styleSheets[0].cssRules; first.style.content = '"Bob"'; second.style.content = '"Ann"'; }`,
  ],
  [
    "which of two words is shown",
    `<style>p.b i:first-child, p:not(.b) i:last-of-type { display: none }</style><p id=x><i>Ann</i><i>Bob</i>${DELETE}</p><p id=y class=b><i>Ann</i><i>Bob</i>${DELETE}</p>`,
    "[x.className, y.className] = [y.className, x.className]",
  ],
  [
    "which of two words is hidden",
    `<p id=x><i>Ann</i><i hidden>Bob</i>${DELETE}</p><p id=y><i hidden>Ann</i><i>Bob</i>${DELETE}</p>`,
    "for (const each of document.querySelectorAll('i')) each.hidden = !each.hidden",
  ],
] as const;

describe("the buttons of two rows are refused, and listed by other refs, when exchanged are", () => {
  it.each(EXCHANGED)("%s", async (_what, html, script) => {
    await show(html);
    const refs = await refsOf("Delete");
    expect(await allWhy(refs)).toEqual(["found", "found"]);
    await run(script);
    expect(await allWhy(refs)).toEqual(["changed", "changed"]);
    const now = await refsOf("Delete");
    expect(now.filter((ref) => refs.includes(ref))).toEqual([]);
    expect(await allWhy(now)).toEqual(["found", "found"]);
  });
});

it("buttons whose names differ only at their end are refused when these are exchanged", async () => {
  const long = "very long ".repeat(120);
  await show(`<button id=x>${long} Ann</button><button id=y>${long} Bob</button>`);
  const refs = await shown.refsWith({ role: "button" });
  expect(await allWhy(refs)).toEqual(["found", "found"]);
  await run("[x.textContent, y.textContent] = [y.textContent, x.textContent]");
  expect(await allWhy(refs)).toEqual(["changed", "changed"]);
});

it.each([
  ["by what stands in it", (words: string) => `<button><b>${words}</b></button>`, "b"],
  [
    "by what refers to it",
    (words: string) => `<button aria-labelledby=x>x</button><p id=x>${words}</p>`,
    "p",
  ],
])(
  "a button that is called %s is refused when its name differs only at its end",
  async (_how, html, named) => {
    const long = "very    long ".repeat(120);
    await show(html(`${long} Ann`));
    const refs = await shown.refsWith({ role: "button" });
    expect(await allWhy(refs)).toEqual(["found"]);
    await run(`document.querySelector("${named}").textContent = "${long} Bob"`);
    expect(await allWhy(refs)).toEqual(["changed"]);
    expect(await shown.refsWith({ role: "button" })).not.toEqual(refs);
  },
);

it("buttons of rows with equal words are found when something is only hidden in one, or only shown", async () => {
  const row = `<div><p class=more hidden>Rename</p><button>More</button></div>`;
  await show(`${row}${row}`);
  const refs = await refsOf("More");
  await run("document.querySelector('.more').hidden = false");
  expect(await allWhy(refs)).toEqual(["found", "found"]);
  expect(await refsOf("More")).toEqual(refs);
  await run("for (const each of document.querySelectorAll('.more')) each.hidden = !each.hidden");
  expect(await allWhy(refs)).toEqual(["found", "found"]);
});
