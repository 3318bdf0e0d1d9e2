// Argument patterns: what they match, and which of them are not tried.

import { expect, it } from "vitest";
import { judgeArguments, toExactPattern } from "./match-entry.js";

const judge = (pattern: string, args: readonly string[]) =>
  judgeArguments(pattern, { args, exactHash: "1234" }) === undefined;

it.each([
  ["^test$", ["test"], true],
  ["^test$", ["test", "--watch"], false],
  ["^run (build|lint)$", ["run", "lint"], true],
  ["^run (build|lint)( --fix)?$", ["run", "lint", "--fix"], true],
  ["^log( .*)?$", ["log", "-n", "5"], true],
  ["^[a-z]+ [a-z]+$", ["ab", "cd"], true],
  ["^$", [], true],
  ["^a$", ["a\nb"], false],
] as const)("%s on %j", (pattern, args, expected) => {
  expect(judge(pattern, args)).toBe(expected);
});

it.each([
  "(a+)+$",
  "(a|a)*b",
  "(a*)*",
  "^(\\w+\\s?)*$",
  "(a{1,9}){9}",
  "(a)\\1",
  "(?<x>a)\\k<x>",
  "((a|b)c)+",
  "a".repeat(501),
  "(",
])("%s is not tried: it could run long, or is none", (pattern) => {
  expect(judge(pattern, ["a".repeat(30)])).toBe(false);
});

it("a pattern with several open repeats is tried on short arguments only", () => {
  expect(judge(".*a.*b.*c.*d", ["a", "b", "c", "d"])).toBe(true);
  const before = process.cpuUsage();
  expect(judge(".*a.*b.*c.*d", ["a".repeat(10_000)])).toBe(false);
  expect(process.cpuUsage(before).user).toBeLessThan(500_000);
});

it("an exact pattern is met by its hash and by nothing else", () => {
  expect(judge(toExactPattern("1234"), ["x"])).toBe(true);
  expect(judge(toExactPattern("1235"), ["x"])).toBe(false);
  expect(judge("sha256:argv:", [])).toBe(false);
});
