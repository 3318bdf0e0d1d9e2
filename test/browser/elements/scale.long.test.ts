// Pages that are large, deep, long or never still: listed completely or with a word about what is cut,
// in time that grows with the page.

import { INPAGE_SOURCE } from "inpage:source";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTabFixture, scope, type Tab, type TabFixture } from "./tab-fixture.js";

/** Loaded into every document beside Playwright's own, which is four times as much. Much of it tells rows apart; the rest reads what people see and nobody can ask for later: words of style sheets, why a value is refused. */
const MAX_BUNDLE_CHARS = 105_000;

let fixture: TabFixture;
beforeAll(async () => {
  fixture = await createTabFixture();
});
afterAll(() => fixture.close());

async function withTab(html: string, look: (tab: Tab) => Promise<void>): Promise<void> {
  const tab = await fixture.open(html);
  await look(tab);
  await tab.page.close();
}

test("the code for pages stays small", () => {
  expect(INPAGE_SOURCE.length).toBeLessThan(MAX_BUNDLE_CHARS);
});

test("10,000 elements are listed, every field with its own label, and their refs stay", async () => {
  const row = (at: number) =>
    `<tr><td>Item ${at}<td><button>Buy</button><td><label for=f${at}>Count ${at}</label><input id=f${at}>`;
  const rows = Array.from({ length: 2_000 }, (_, at) => row(at)).join("");
  await withTab(`<table>${rows}</table>`, async (tab) => {
    const first = await tab.list();
    expect(first.isCut).toBe(false);
    const fields = first.elements.filter(({ role }) => role === "textbox");
    expect(fields.map(({ name }) => name)).toEqual(
      Array.from({ length: 2_000 }, (_, at) => `Count ${at}`),
    );
    await tab.page.evaluate(`document.querySelector("tr").remove()`);
    const second = await tab.list();
    const known = new Set(first.elements.map(({ ref }) => ref));
    expect(second.elements.every(({ ref }) => known.has(ref))).toBe(true);
  });
});

test("more elements than are read are cut, and said to be", async () => {
  await withTab("<main id=m></main>", async (tab) => {
    await tab.page.evaluate(`m.innerHTML = Array.from({ length: 100100 },
      (_, at) => "<button>" + at + "</button>").join("")`);
    const { elements, isCut } = await tab.list();
    expect(elements).toHaveLength(100_000);
    expect(isCut).toBe(true);
  });
});

/** Made of pieces, because each insertion looks at all that is above and below it. */
const NEST = (depth: number, place: string) => `{ let at = ${place};
  for (let piece = 0; piece < ${depth} / 100; piece += 1) {
    const top = document.createElement("article"); let bottom = top;
    for (let level = 1; level < 100; level += 1) { bottom.append(document.createElement("div")); bottom = bottom.firstChild; }
    at.append(top); at = bottom; }
  at.append(Object.assign(document.createElement("button"), { textContent: "Bottom" })); }`;

test("elements nested as deeply as Chromium can draw them are listed", async () => {
  await withTab("<p>top</p>", async (tab) => {
    await tab.page.evaluate(NEST(1_500, "document.body"));
    const { elements } = await tab.list();
    expect(elements.at(-1)).toMatchObject({ role: "button", name: "Bottom", depth: 15 });
  });
});

test("a name of 20,000 nested elements breaks nothing", async () => {
  // Not drawn: Chromium itself ends at 5,000.
  await withTab(
    `<div id=deep hidden></div><button aria-labelledby=deep>x</button>`,
    async (tab) => {
      await tab.page.evaluate(NEST(20_000, "deep"));
      expect((await tab.list()).elements.map(({ name }) => name)).toEqual(["Bottom"]);
    },
  );
});

test("a huge text is cut in the listing and counted by text", async () => {
  const words = "lorem ipsum ".repeat(100_000);
  await withTab(`<main><p>${words}</p><button>After</button></main>`, async (tab) => {
    const { elements } = await tab.list();
    const text = elements.find(({ role }) => role === "text");
    expect(text?.name.length).toBeLessThan(2_100);
    expect(elements.at(-1)?.name).toBe("After");
    const asked = { op: "text", maxChars: 1_000 } as const;
    const answer = await tab.elements.ask<"text">(tab.page.mainFrame(), asked, scope());
    expect(answer.text).toHaveLength(1_000);
    expect(answer.totalChars).toBe(words.trim().length + "\n\nAfter".length);
  });
});

test("the text of a page has a line for each block, tabs between cells, nothing that is hidden", async () => {
  const html = `<nav>Menu</nav><main><h1>Title</h1><p>One <b>two</b>
    three</p><table><tr><td>a<td>b<tr><td>c<td>d</table><pre>x
  y</pre><p hidden>no</p><script>1</script><div>end</div></main>`;
  await withTab(html, async (tab) => {
    const ask = (selector?: string) =>
      tab.elements.ask<"text">(
        tab.page.mainFrame(),
        { op: "text", maxChars: 500, ...(selector && { selector }) },
        scope(),
      );
    expect((await ask()).text).toBe("Title\n\nOne two three\n\na\tb\nc\td\n\nx\n  y\n\nend");
    expect((await ask("nav")).text).toBe("Menu");
    expect((await ask("aside")).isMissing).toBe(true);
  });
});

test("a page that changes all the time is listed, and its refs are right or refused", async () => {
  const script = `let n = 0; setInterval(() => { n += 1; list.innerHTML = "";
    for (let at = 0; at < 20; at += 1) list.insertAdjacentHTML("beforeend", "<li><button data-n=" + n + ">Item " + (n + at) + "</button></li>"); }, 1);`;
  await withTab(
    `<button>Still</button><ul id=list></ul><script>${script}</script>`,
    async (tab) => {
      const still = await tab.refOf("button", "Still");
      for (let round = 0; round < 10; round += 1) {
        const { elements } = await tab.list();
        const item = elements.find(({ name }) => name.startsWith("Item"));
        const found = await tab.elements
          .find(item?.ref ?? "", "look", scope())
          .catch((error: unknown) => error);
        if (found instanceof Error) expect(found).toMatchObject({ reason: "stale_ref" });
      }
      expect(await tab.refOf("button", "Still")).toBe(still);
    },
  );
});

test("a virtual list that uses its rows again gives new refs to what they show", async () => {
  const script = `const show = (from) => { [...list.children].forEach((row, at) => { row.firstElementChild.textContent = "Row " + (from + at); }); };
    list.innerHTML = "<div><span></span><button>Open</button></div>".repeat(10); show(0); window.show = show;`;
  await withTab(`<div id=list></div><script>${script}</script>`, async (tab) => {
    const opens = async () =>
      (await tab.list()).elements.filter(({ name }) => name === "Open").map(({ ref = "" }) => ref);
    const first = await opens();
    await tab.page.evaluate("show(5)");
    const second = await opens();
    expect(second.filter((ref) => first.includes(ref))).toEqual([]);
    for (const ref of first) {
      await expect(tab.elements.find(ref, "look", scope())).rejects.toMatchObject({
        reason: "stale_ref",
      });
    }
  });
});

test("what an endless page loads at its end is new, and the rest keeps its refs", async () => {
  await withTab(`<main id=m></main><footer><button>Top</button></footer>`, async (tab) => {
    const load = (from: number) =>
      tab.page.evaluate(
        `for (let at = ${from}; at < ${from + 10}; at += 1) m.insertAdjacentHTML("beforeend", "<article><h2>Post " + at + "</h2><button>Like</button></article>")`,
      );
    await load(0);
    const first = await tab.list();
    await load(10);
    const second = await tab.list();
    const refs = new Set(first.elements.map(({ ref }) => ref));
    const fresh = second.elements.filter(({ isNew }) => isNew);
    expect(fresh.filter(({ role }) => role === "heading").map(({ name }) => name)).toEqual(
      Array.from({ length: 10 }, (_, at) => `Post ${at + 10}`),
    );
    expect(second.elements.filter(({ ref, isNew }) => !isNew && ref && !refs.has(ref))).toEqual([]);
  });
});

test("boxes are those of what can be acted on and is in sight", async () => {
  const html = `<button style="position:absolute;left:10px;top:20px;width:100px;height:30px">In</button><p>Text</p>
    <button style="position:absolute;top:5000px">Below</button><button style="opacity:1;width:0;height:0;padding:0;border:0;position:absolute">Flat</button>`;
  await withTab(html, async (tab) => {
    const ref = await tab.refOf("button", "In");
    const { boxes } = await tab.elements.ask<"boxes">(
      tab.page.mainFrame(),
      { op: "boxes", max: 10 },
      scope(),
    );
    expect(boxes).toEqual([[Number(ref.slice(1)), 10, 20, 100, 30]]);
  });
});
