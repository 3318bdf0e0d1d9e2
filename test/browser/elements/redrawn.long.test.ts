// What is named first for an element that went: the one that the page drew anew in its place, whether it
// was listed or not.

import { describe, expect, it } from "vitest";
import { useShownTab } from "./shown-tab.js";
import { scope } from "./tab-fixture.js";

const shown = useShownTab();
const { show, run } = shown;

interface Refusal {
  readonly message: string;
  readonly details: {
    readonly why: string;
    readonly near: readonly {
      readonly ref: string;
      readonly name: string;
      readonly place?: string;
    }[];
  };
}
const refuse = async (ref: string) =>
  (await shown.tab.elements
    .find(ref, "look", scope())
    .catch((caught: unknown) => caught)) as Refusal;
const ROWS = (names: readonly string[]) =>
  names.map((name) => `<li>${name} <button>Like</button></li>`).join("");
const list = (names: readonly string[]) => `<ul id=u aria-label=People>${ROWS(names)}</ul>`;
const draw = (names: readonly string[]) => `u.innerHTML = ${JSON.stringify(ROWS(names))}`;
const ALL = ["Ann", "Bob", "Cid"];

describe("an element that was redrawn is named first", () => {
  it.each([
    ["in a list", ALL, "not listed"],
    ["in a list", ALL, "listed"],
    ["in a list of another order", ["Cid", "Zoe", "Bob", "Ann"], "not listed"],
    ["in a list of another order", ["Cid", "Zoe", "Bob", "Ann"], "listed"],
  ])("%s (%s) that was %s since", async (_what, names, listed) => {
    await show(list(ALL));
    const [, ref = ""] = await shown.refsWith({ name: "Like" });
    await run(draw(names));
    if (listed === "listed") await shown.tab.list();
    const { message, details } = await refuse(ref);
    expect(details.why).toBe("detached");
    const [first] = details.near;
    expect(first).toMatchObject({ name: "Like", place: 'listitem "Bob"' });
    expect(message).toMatch(
      /is not on the page any more; in its place is now e\d+ button "Like" \(in listitem "Bob"\); nearest are e\d+ button "Like" \(in listitem "/,
    );
    expect(await shown.allWhy([first?.ref ?? ""])).toEqual(["found"]);
    const refs = await shown.refsWith({ name: "Like" });
    expect(refs[names.indexOf("Bob")]).toBe(first?.ref);
  });

  it("when it is the only one of its name", async () => {
    await show(`<main id=u><h2>Ann</h2><button>Like</button></main>`);
    const [ref = ""] = await shown.refsWith({ name: "Like" });
    await run(`u.innerHTML = u.innerHTML`);
    const { message } = await refuse(ref);
    expect(message).toMatch(/in its place is now e\d+ button "Like"[;.(]/);
  });
});

describe("nothing is said to be redrawn", () => {
  it.each([
    ["when its row went", list(ALL), draw(["Ann", "Cid"])],
    ["when two rows are like it", list(ALL), draw(["Bob", "Bob"])],
    [
      "under another heading",
      "<main id=u><h2>Ann</h2><button>Like</button></main>",
      `u.innerHTML = "<h2>Bob</h2><button>Like</button>"`,
    ],
  ])("%s, and those of its name are the nearest", async (_what, html, script) => {
    await show(html);
    const refs = await shown.refsWith({ name: "Like" });
    await run(script);
    const { message, details } = await refuse(refs[1] ?? refs[0] ?? "");
    expect(message).not.toContain("in its place is now");
    expect(details.near[0]).toMatchObject({ name: "Like" });
  });
});
