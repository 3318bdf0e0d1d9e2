// docs/undo.md says what the code does: its limits, actions and reasons.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS, MEMORY_LIMITS, PRUNE_PART } from "./errors.js";
import { MAX_LISTED_FILES } from "./join-history.js";

const page = readFileSync(new URL("../../../docs/undo.md", import.meta.url), "utf8");
const sourceOf = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
const MS_PER_DAY = 24 * 60 * 60_000;

describe("docs/undo.md", () => {
  it.each([
    `| one file | ${mebibytes(DEFAULT_LIMITS.maxFileBytes)};`,
    `| all old content | ${mebibytes(DEFAULT_LIMITS.maxTotalBytes)};`,
    `| age | ${DEFAULT_LIMITS.maxAgeMs / MS_PER_DAY} days |`,
    `All old content together has at most ${mebibytes(MEMORY_LIMITS.maxTotalBytes)},`,
  ])("says %s", (words) => {
    expect(page.replaceAll(/\s+/g, " ")).toContain(words);
    expect(page).toContain("the first three");
    expect([PRUNE_PART, MAX_LISTED_FILES]).toEqual([8, 3]);
  });

  it("has the import that its first sample needs", () => {
    const [, sample = ""] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
    expect(sample).toMatch(/^import \{ createToolkit \} from "clawtools";\n/);
  });

  it("lists the reasons of the errors, and no others", () => {
    const source = ["./errors.ts", "./objects.ts"].map(sourceOf).join("\n");
    const own = [...source.matchAll(/reason: "([a-z_]+)"/g)].map(([, reason]) => reason);
    // Said by the toolkit, which has the config.
    const made = [...own, "undo_disabled"];
    const errors = page.slice(page.indexOf("## Errors"), page.indexOf("## Limits"));
    const rows = errors.split("\n").filter((line) => /^\| `[a-z_`, ]+ \| `/.test(line));
    const listed = rows.map((line) => /\| `([a-z_]+)` \|[^|]*\|$/.exec(line)?.[1]);
    expect(new Set(listed)).toEqual(new Set(made));
  });
});
