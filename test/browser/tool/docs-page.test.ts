// docs/browser.md: its program prints what the page shows, its tables have every action, kind and
// parameter of snapshots, and its numbers are those of the code.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ACT_KINDS, ACTIONS } from "../../../src/tools/browser/actions.js";
import * as limits from "../../../src/tools/browser/limits.js";
import { SHORT } from "../../../src/tools/browser/view/line.js";
import { runNodeWithin } from "../../fakes/run-node.js";

const PAGE = readFileSync(new URL("../../../docs/browser.md", import.meta.url), "utf8");

/** Of a program that starts a browser, on a machine with much else to do. */
const SLOW_MS = 40_000;
const TEST_MS = 60_000;

/** What is drawn anew each time: ids of the wrapper, the port. */
const settled = (text: string) =>
  text.replace(/[0-9a-f]{32}/g, "ID").replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT");

/** The words in the first cells of the table under this heading cell. */
function namesUnder(heading: string): string[] {
  const table = PAGE.split("\n\n").find((part) => part.startsWith(`| ${heading} |`)) ?? "";
  const cells = table.split("\n").slice(2);
  return cells.flatMap((line) =>
    [...(line.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word),
  );
}

describe("docs/browser.md", () => {
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

  it("has every action and every kind of act", () => {
    expect(namesUnder("action").toSorted()).toEqual([...ACTIONS].toSorted());
    expect(namesUnder("kind").toSorted()).toEqual([...ACT_KINDS].toSorted());
  });

  it("has the limits of the code", () => {
    for (const text of [
      `the first ${limits.MAX_CHANGE_CHARS} characters`,
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
});
