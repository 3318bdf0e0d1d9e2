// The page about containment says what the code does: limits, waiting times, names.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as limits from "./limits.js";

const page = readFileSync(new URL("../../../docs/sandbox.md", import.meta.url), "utf8");
const rows = new Map(
  [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, name = "", value = ""]) => [
    name,
    value,
  ]),
);

describe("docs/sandbox.md", () => {
  it.each([
    ["processes and threads", `${limits.MAX_PROCESSES}`],
    ["processes and threads of all commands", `${limits.MAX_ALL_PROCESSES}`],
    ["memory", `${limits.MAX_DATA_MEBIBYTES} MiB`],
    ["file size", `${limits.MAX_FILE_MEBIBYTES} MiB`],
    ["processor time", `${limits.MAX_CPU_SECONDS} s`],
    ["`/tmp`", `${limits.MAX_TEMPORARY_MEBIBYTES} MiB`],
    ["home", `${limits.MAX_HOME_MEBIBYTES} MiB`],
    ["`/dev/shm`", `${limits.MAX_SHARED_MEMORY_MEBIBYTES} MiB`],
  ])("has the limit of %s", (name, value) => {
    expect(rows.get(name)).toBe(value);
  });

  it("has every limit that is reported, with its scope", () => {
    const told = limits.sandboxLimits({
      asRoot: false,
      totals: { pids: false, memory: false },
    }).names;
    const enforced = told.filter((name) => !name.includes("not enforced"));
    expect(enforced).toHaveLength(7);
    expect(enforced.every((name) => /\((?:per|total)/.test(name))).toBe(true);
  });
});
