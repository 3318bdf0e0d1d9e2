// Elements in iframes: listed below their iframe, found at their place on the page, also when another
// process draws them; and a frame that hangs is a gap.

import { afterAll, beforeAll, expect, test } from "vitest";
import { createTabFixture, scope, staleWhy, type TabFixture, toText } from "./tab-fixture.js";

/** The bound for one frame is a second; the rest is for a busy machine. */
const HUNG_FRAME_MS = 6_000;

let fixture: TabFixture;
beforeAll(async () => {
  fixture = await createTabFixture(["--site-per-process"]);
});
afterAll(() => fixture.close());

test("frames are listed below their iframe, nested ones and those of other origins too", async () => {
  fixture.documents.set("/deep", "<a href=/x>Deep</a>");
  fixture.documents.set(
    "/inner",
    `<button>Inner</button><iframe title=Nested src="/deep"></iframe>`,
  );
  fixture.documents.set("/gone", "<button>Gone</button>");
  const tab = await fixture.open(`<h1>Outer</h1><iframe title=Same src="/inner"></iframe>
    <iframe title=Other src="${fixture.otherOrigin}/deep"></iframe><iframe src="/gone" hidden></iframe><button>After</button>`);
  await tab.page.waitForLoadState("load");
  expect(toText((await tab.list()).elements)).toBe(`heading "Outer" [level=1]
iframe "Same"
  button "Inner"
  iframe "Nested"
    link "Deep"
iframe "Other"
  link "Deep"
button "After"`);
  const byFrame = await tab.elements.list({ frame: "[title=Other]" }, scope());
  expect(toText(byFrame.elements)).toBe(`link "Deep"`);
  await expect(tab.elements.list({ frame: "h1" }, scope())).rejects.toMatchObject({
    reason: "frame_not_found",
  });
  await tab.page.close();
});

test.each(["same", "other"] as const)(
  "a point in a nested frame of the %s origin is where the mouse hits it",
  async (which) => {
    const origin = which === "same" ? fixture.origin : fixture.otherOrigin;
    const button = `<button onclick="document.title='hit'" style="margin:30px 0 0 20px">Press</button>`;
    fixture.documents.set(
      "/leaf",
      `<div style="height:600px"></div>${button}<div style="height:600px"></div>`,
    );
    fixture.documents.set(
      "/mid",
      `<p>mid</p><iframe src="${origin}/leaf" style="border:7px solid;padding:5px;height:150px"></iframe>`,
    );
    const tab = await fixture.open(
      `<div style="height:1500px"></div><iframe src="${origin}/mid" style="margin-left:40px;width:500px;height:300px"></iframe>`,
    );
    await tab.page.waitForLoadState("load");
    const found = await tab.elements.find(await tab.refOf("button", "Press"), "click", scope());
    // A frame of another process takes the mouse only once its place is known to the browser's own.
    const press = async () => {
      await tab.page.mouse.click(found.x, found.y);
      return found.frame.title();
    };
    await expect.poll(press).toBe("hit");
    await tab.page.close();
  },
);

test("an element in a frame under something else is told to be covered by that", async () => {
  fixture.documents.set("/leaf", "<button>Press</button>");
  const tab = await fixture.open(`<iframe src="/leaf"></iframe>
    <div id=over style="position:fixed;inset:0" role=dialog aria-label=Cookies></div>`);
  await tab.page.waitForLoadState("load");
  const ref = await tab.refOf("button", "Press");
  const error = await tab.elements.find(ref, "click", scope()).catch((caught: unknown) => caught);
  expect(error).toMatchObject({
    reason: "element_covered",
    details: { by: { role: "dialog", name: "Cookies" } },
  });
  await tab.page.close();
});

test("the locator of a ref is the very element, in its frame, or nothing", async () => {
  fixture.documents.set("/leaf", "<label>Name <input></label>");
  const tab = await fixture.open(`<iframe src="${fixture.otherOrigin}/leaf"></iframe>`);
  await tab.page.waitForLoadState("load");
  const { locator, frame } = await tab.elements.find(
    await tab.refOf("textbox", "Name"),
    "type",
    scope(),
  );
  await locator.fill("typed");
  expect(await frame.evaluate(`document.querySelector("input").value`)).toBe("typed");
  await frame.evaluate(`document.querySelector("input").setAttribute("aria-label", "Other")`);
  expect(await locator.count()).toBe(0);
  await tab.page.close();
});

test("a frame that hangs is a gap and not a wait", async () => {
  fixture.documents.set("/hung", "<button>Never</button><script>for(;;);</script>");
  const tab = await fixture.open(
    `<button>Fine</button><iframe src="${fixture.otherOrigin}/hung"></iframe>`,
  );
  const startedAt = performance.now();
  const { elements, gaps } = await tab.list();
  expect(performance.now() - startedAt).toBeLessThan(HUNG_FRAME_MS);
  expect(toText(elements)).toBe(`button "Fine"\niframe`);
  expect(gaps).toHaveLength(1);
  await tab.elements.watch(scope());
  await tab.page.evaluate(`document.body.append("more")`);
  expect((await tab.elements.changes(scope())).counts.added).toBe(1);
  await tab.page.close();
});

const ROWS = (frame: string) => `<p><b>Ann</b>${frame}</p><p><b>Bob</b>${frame}</p>`;
const HEADED = (frame: string) => `<h2>Ann</h2><div>${frame}</div><h2>Bob</h2><div>${frame}</div>`;
const TEXTS = "[x.textContent, y.textContent] = [y.textContent, x.textContent]";

/** Two frames, what is exchanged of them, and how. */
const EXCHANGED = [
  [
    "their names",
    (frame: string) =>
      `${frame}${frame}<script>frames[0].frameElement.title = "Ann"; frames[1].frameElement.title = "Bob";</script>`,
    "iframe",
    "[x.title, y.title] = [y.title, x.title]",
  ],
  ["the words in their rows", ROWS, "b", TEXTS],
  ["the headings over them", HEADED, "h2", TEXTS],
  [
    "the rows they stand in",
    ROWS,
    "iframe",
    "{ const [first, second] = [x.parentNode, y.parentNode]; first.moveBefore(y, null); second.moveBefore(x, null); }",
  ],
] as const;

test.each(EXCHANGED)(
  "equal buttons in two frames are refused when exchanged are %s",
  async (_what, rows, named, script) => {
    fixture.documents.set("/twin", "<button>Delete</button>");
    const tab = await fixture.open(rows(`<iframe src="/twin"></iframe>`));
    await tab.page.waitForLoadState("load");
    const refs = async () =>
      (await tab.list()).elements
        .filter(({ name }) => name === "Delete")
        .map(({ ref = "" }) => ref);
    const whys = async (of: readonly string[]) => {
      const all: unknown[] = [];
      for (const ref of of) all.push(await staleWhy(tab, ref));
      return all;
    };
    const before = await refs();
    expect(await whys(before)).toEqual(["found", "found"]);
    await tab.page.evaluate(`{ const [x, y] = document.querySelectorAll("${named}"); ${script} }`);
    expect(await whys(before)).toEqual(["changed", "changed"]);
    const now = await refs();
    expect(now.filter((ref) => before.includes(ref))).toEqual([]);
    expect(await whys(now)).toEqual(["found", "found"]);
    expect(new Set(await whys(before))).not.toContain("found");
    await tab.page.close();
  },
);
