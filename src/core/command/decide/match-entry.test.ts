// Which program an entry speaks of.

import { expect, it } from "vitest";
import type { PlanStep } from "../plan.js";
import { isEntryFor, matchesGlob } from "./match-entry.js";

function step(path: string, facts: { file?: string; lookup?: "search" | "path" } = {}): PlanStep {
  const { file = path, lookup = "search" } = facts;
  const identity = {
    path,
    device: 1,
    inode: 1,
    sizeBytes: 1,
    modifiedMs: 1,
    ownerId: 0,
    mode: 0o755,
  };
  return {
    argv: ["x"],
    program: identity,
    cwd: "/ws",
    redirects: [],
    scripts: [],
    facts: { file, lookup, paths: [], added: [], exactHash: "1" },
  };
}

it.each([
  ["/usr/bin/ls", "/usr/bin/ls", true],
  ["/usr/bin/l?", "/usr/bin/ls", true],
  ["/usr/*/ls", "/usr/bin/ls", true],
  ["/usr/*", "/usr/bin/ls", false],
  ["/usr/**", "/usr/bin/ls", true],
  ["/usr/**/rg", "/usr/a/b/rg", true],
  ["/usr/bin/python3.11", "/usr/bin/python3x11", false],
  ["/usr/bin/LS", "/usr/bin/ls", false],
  ["/usr/bin/?s", "/usr/bin//s", false],
])("%s and %s", (pattern, path, expected) => {
  expect(matchesGlob(pattern, path)).toBe(expected);
});

it("a bare name speaks of what the search path found under it, and of nothing else", () => {
  const context = { root: "/ws" };
  expect(
    isEntryFor({ pattern: "awk" }, step("/usr/bin/mawk", { file: "/usr/bin/awk" }), context),
  ).toBe(true);
  expect(isEntryFor({ pattern: "ls" }, step("/tmp/ls", { lookup: "path" }), context)).toBe(false);
  expect(isEntryFor({ pattern: "ls" }, step("/ws/bin/ls"), context)).toBe(false);
});

it("a program of the workspace is met only by its own path, without wildcards", () => {
  const own = step("/ws/bin/run", { lookup: "path" });
  expect(isEntryFor({ pattern: "/ws/bin/run" }, own, { root: "/ws" })).toBe(true);
  expect(isEntryFor({ pattern: "/ws/**" }, own, { root: "/ws" })).toBe(false);
});

it("/bin/ls is /usr/bin/ls too: most systems have one folder for both", () => {
  const context = { root: "/ws" };
  expect(isEntryFor({ pattern: "/bin/ls" }, step("/usr/bin/ls"), context)).toBe(true);
  expect(isEntryFor({ pattern: "/usr/bin/ls" }, step("/bin/ls"), context)).toBe(false);
  expect(isEntryFor({ pattern: "/bin/ls" }, step("/opt/bin/ls"), context)).toBe(false);
});

it("~/ is the home folder", () => {
  const found = step("/home/me/bin/rg");
  expect(isEntryFor({ pattern: "~/bin/rg" }, found, { root: "/ws", home: "/home/me" })).toBe(true);
  expect(isEntryFor({ pattern: "~/bin/rg" }, found, { root: "/ws" })).toBe(false);
});

it("many wildcards take no long time", () => {
  expect(matchesGlob("**a".repeat(300), "a".repeat(4_000))).toBe(true);
});
