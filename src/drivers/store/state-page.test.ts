// docs/state.md and docs/store.md have the numbers and the errors of the code.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  ENDS_PER_TRIM,
  MAX_JOURNAL_AGE_MS,
  MAX_JOURNAL_ROWS,
  SYNC_WITHIN_MS,
} from "../journal/store-journal.js";
import * as limits from "./refusals.js";
import { MIGRATIONS } from "./sqlite/database.js";
import { MAX_BUSY_WAIT_MS, MAX_OUTAGE_WAIT_MS, OUTAGE_MS } from "./sqlite/sqlite-errors.js";
import { MAX_WAITING_BYTES } from "./sqlite/writer.js";

const store = readFileSync(new URL("../../../docs/store.md", import.meta.url), "utf8");
const state = readFileSync(new URL("../../../docs/state.md", import.meta.url), "utf8");
const page = `${state}\n${store}`;
const sourceOf = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`;

describe("docs/state.md and docs/store.md", () => {
  it.each([
    `1 to ${limits.MAX_NAME_BYTES} bytes of UTF-8`,
    `nested at most ${limits.MAX_VALUE_DEPTH} deep`,
    `${mebibytes(limits.MAX_RECORD_BYTES)} as JSON`,
    `${limits.MAX_PARTS} records or operations, ${mebibytes(limits.MAX_WRITE_BYTES)} together`,
    `${limits.DEFAULT_PAGE_ENTRIES} entries by default, at most ${limits.MAX_PAGE_ENTRIES}`,
    `ends early after about ${mebibytes(limits.MAX_PAGE_BYTES)}`,
    `${limits.DEFAULT_CLAIM_ENTRIES} entry by default, at most ${limits.MAX_CLAIM_ENTRIES}`,
    `at most ${limits.MAX_SPAN_MS / (365 * 24 * 60 * 60_000)} years`,
    `${mebibytes(MAX_WAITING_BYTES)}, then \`store_overloaded\``,
    `${MAX_BUSY_WAIT_MS} ms, then \`store_busy\``,
    `For ${OUTAGE_MS / 1_000} seconds after such a wait others end after ${MAX_OUTAGE_WAIT_MS} ms`,
    `synced within ${SYNC_WITHIN_MS} ms`,
    `keeps ${MAX_JOURNAL_ROWS} ended calls for ${MAX_JOURNAL_AGE_MS / (24 * 60 * 60_000)} days`,
    `goes every ${ENDS_PER_TRIM} calls`,
    `the version of its tables, now ${MIGRATIONS.length};`,
  ])("holds %j", (sentence) => {
    expect(page.replaceAll(/\s+/g, " ")).toContain(sentence);
  });

  it("names every reason that the store gives, and no other", () => {
    const sources = [
      ...["./refusals.ts", "./input/check.ts", "./input/read-requests.ts", "./owner.ts"],
      ...["./sqlite/sqlite-errors.ts", "./sqlite/connection.ts", "./sqlite/writer.ts"],
      "../sqlite.ts",
    ];
    const given = sources.flatMap((path) =>
      [...sourceOf(path).matchAll(/reason: "(\w+)"/g)].map(([, reason = ""]) => reason),
    );
    const errors = store.slice(store.indexOf("## Errors"), store.indexOf("## Limits"));
    const told = errors
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .flatMap((line) => [...(line.split("|")[2] ?? "").matchAll(/`(\w+)`/g)])
      .map(([, reason = ""]) => reason);
    // What nobody can act on has no row.
    const wanted = new Set(given.filter((reason) => reason !== "store_failed"));
    expect([...new Set(told)].sort()).toEqual([...wanted].sort());
  });
});
