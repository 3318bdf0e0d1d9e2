// The browser pages: the programs print what is shown, the tables have every action, kind and
// command, and the numbers are those of the code.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ACT_KINDS, ACTIONS } from "../../../src/tools/browser/actions.js";
import * as limits from "../../../src/tools/browser/limits.js";
import { SHORT } from "../../../src/tools/browser/view/line.js";
import { describeTab, showChange } from "../../../src/tools/browser/view/show-change.js";
import { showListing } from "../../../src/tools/browser/view/show-listing.js";
import { COMMANDS } from "../../cli/list-commands.js";
import { element } from "../../fakes/browsers.js";
import { runNodeWithin } from "../../fakes/run-node.js";
import { createTempFolder } from "../../plugins/temp-folder.js";
import { createTabFixture } from "../elements/tab-fixture.js";

const PAGE = ["browser", "browser-reference", "browser-snapshots", "browser-profiles"]
  .map((name) => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), "utf8"))
  .join("\n");

/** Of a program that starts a browser, on a machine with much else to do. */
const SLOW_MS = 40_000;
const TEST_MS = 240_000;

/** What is drawn anew each time: ids of the wrapper, the port. */
const settled = (text: string) =>
  text.replace(/\bid="[0-9a-f]{8}"/g, "ID").replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT");

/** The page that the sample of a snapshot shows. */
const SHOP = `<title>Shop</title><nav aria-label=Top><a href=/cart>Cart</a></nav><main><h1>Shop</h1>
  <input type=password aria-label=Password value=secret><button disabled>Pay</button>
  <table aria-label=People><tr><th>Name<th>Age</tr>
  <tr><td>Alice<td>30<td><button>Delete</button></tr></table></main>`;
const TAB = { targetId: "t1", title: "Shop", url: "https://shop.example/", isCurrent: true };

/** The block of the page that begins with these words. */
function blockWith(words: string): string {
  const blocks = PAGE.split(/^```.*\n/m).filter((_, index) => index % 2 === 1);
  return blocks.find((text) => text.startsWith(words))?.trimEnd() ?? "";
}

/** The words in the first cells of the table under this heading cell. */
function namesUnder(heading: string): string[] {
  const table = PAGE.split("\n\n").find((part) => part.startsWith(`| ${heading} |`)) ?? "";
  const cells = table.split("\n").slice(2);
  return cells.flatMap((line) =>
    [...(line.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word),
  );
}

describe("the browser pages", () => {
  it(
    "begins with a program and its real output",
    async () => {
      const [, program = "", output = ""] =
        /^```js\n([\s\S]*?)^```\n\n^```\n([\s\S]*?)^```$/m.exec(PAGE) ?? [];
      const run = await runNodeWithin(SLOW_MS, {
        args: ["--input-type=module", "--eval", program],
      });
      expect(run).toMatchObject({ exitCode: 0, stderr: "" });
      expect(settled(run.stdout)).toBe(settled(output));
    },
    TEST_MS,
  );

  it(
    "has a program with a registry that ends by itself",
    async () => {
      const folder = await createTempFolder();
      const run = await runNodeWithin(SLOW_MS, {
        args: ["--input-type=module", "--eval", blockWith("import { createClawtools")],
        env: { HOME: folder, CLAWTOOLS_STATE_DIR: join(folder, "state") },
      });
      expect(run).toMatchObject({ exitCode: 0, stderr: "" });
      expect(run.stdout.split("\n")[1]).toBe("t1 about:blank");
    },
    TEST_MS,
  );

  it(
    "shows a snapshot as it is made of a page",
    async () => {
      const fixture = await createTabFixture();
      try {
        const tab = await fixture.open(SHOP);
        const { elements } = await tab.list();
        const listing = { documentId: "", elements, gaps: [], isCut: false };
        const { text } = showListing(listing, { format: "ai", maxChars: 20_000 });
        const unnumbered = (lines: string) => lines.replace(/\[ref=e\d+\]/g, "[ref]");
        const sample = blockWith('t1 "Shop"');
        expect(unnumbered(`${describeTab(TAB)}\n${text}`)).toBe(unnumbered(sample));
      } finally {
        await fixture.close();
      }
    },
    TEST_MS,
  );

  it("shows what changed as answers tell it", () => {
    const named = (ref: string, role: string, name: string, depth = 0) =>
      element({ ref, role, name, depth });
    const item = (ref: string, name: string) => named(ref, "listitem", name);
    const card = {
      element: item("e9", "Card A"),
      parent: named("e3", "list", "Done"),
      after: item("e4", "Card B"),
    };
    const order = [item("e21", "Apple"), item("e20", "Pear"), item("e22", "Plum")];
    const { text } = showChange({
      ...{ isNewDocument: false, tab: TAB, events: [], isUnsettled: false, removed: [] },
      moved: [card, { element: named("e5", "list", "Fruit"), order }],
      changed: [{ from: "e12", now: named("e40", "button", "Stop") }],
      added: [named("e41", "dialog", "Saved"), named("e42", "button", "Close", 1)],
      counts: { added: 2, removed: 0, changed: 1 },
    });
    expect(text).toBe(blockWith("~ listitem"));
  });

  it.each(COMMANDS.filter(({ group }) => group === "browser"))(
    "has the command $name with its flags",
    ({ name, flags }) => {
      const table = PAGE.split("\n\n").find((part) => part.startsWith("| command |")) ?? "";
      const [head = "", , ...rows] = table.split("\n");
      const row = rows.find((line) => new RegExp(`\`${name}[ \`]`).test(line)) ?? "";
      const missing = flags.filter((flag) => !`${head}${row}`.includes(`\`--${flag}\``));
      expect(row).not.toBe("");
      expect(missing.filter((flag) => flag !== "allow-local")).toEqual([]);
    },
  );

  it("has every action and every kind of act", () => {
    expect(namesUnder("action").toSorted()).toEqual([...ACTIONS].toSorted());
    expect(namesUnder("kind").toSorted()).toEqual([...ACT_KINDS].toSorted());
  });

  it("has the limits of the code", () => {
    for (const text of [
      `what is there in at most ${limits.MAX_CHANGE_CHARS} characters`,
      `in at most ${limits.MAX_CHANGE_CHARS} characters`,
      `${limits.MIN_VIEW_CHARS} or more; default ${limits.DEFAULT_VIEW_CHARS}`,
      `\`depth\` ${limits.EFFICIENT_DEPTH}, and ${limits.EFFICIENT_VIEW_CHARS} characters`,
      `\`limit\` elements (${limits.DEFAULT_ARIA_NODES})`,
      `\`limit\` (${limits.DEFAULT_ENTRIES})`,
      `cut at ${SHORT.nameChars} characters and texts at ${SHORT.textChars}`,
    ]) {
      expect(PAGE).toContain(text);
    }
  });

  it.each([
    ["act/perform.ts", "MIN_SIDE_PX", "`height`, from N to"],
    ["act/perform.ts", "MAX_SIDE_PX", "to N |"],
    ["files/roots.ts", "MAX_FILES", "the newest N pictures"],
  ])("has the limits of the driver: %s %s", (file, name, words) => {
    const place = new URL(`../../../src/drivers/browser/page/${file}`, import.meta.url);
    const [, limit = ""] =
      new RegExp(`const ${name} = ([\\d_]+);`).exec(readFileSync(place, "utf8")) ?? [];
    expect(limit).not.toBe("");
    expect(PAGE).toContain(words.replace("N", limit.replace("_", "")));
  });
});
