// What patterns fit, and that a hostile one costs no more than its length.

import { describe, expect, it } from "vitest";
import { compilePattern, isEverything, isPattern, nearestTypo } from "./names.js";

describe("compilePattern", () => {
  it.each([
    ["web_*", "web_fetch", true],
    ["web_*", "web_", true],
    ["web_*", "webfetch", false],
    ["*_get", "memory_get", true],
    ["*_get", "memory_get_all", false],
    ["s*s*t", "sessions_list", true],
    ["s*s*t", "st", false],
    ["ab*ba", "aba", false],
    ["ab*ba", "abba", true],
    ["*a*a*", "a", false],
    ["*a*a*", "banana", true],
    ["a*bc*c", "abc", false],
    ["a*bc*c", "abcc", true],
    ["**", "", true],
    ["a.c*", "abc", false],
    ["(x+x+)+y*", "xxxx", false],
  ])("%s and %j: %s", (pattern, text, fits) => {
    expect(compilePattern(pattern)(text)).toBe(fits);
  });

  it("does not search the same text again and again", () => {
    const pattern = compilePattern(`${"*a".repeat(2_000)}*b`);
    const start = performance.now();
    expect(pattern("a".repeat(100_000))).toBe(false);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

it.each([
  ["*", true, true],
  ["***", true, true],
  ["a*", true, false],
  ["", false, false],
  ["read", false, false],
])("%j is a pattern: %s, and stands for everything: %s", (text, pattern, everything) => {
  expect(isPattern(text)).toBe(pattern);
  expect(isEverything(text)).toBe(everything);
});

const KNOWN = ["read", "write", "exec", "sessions_list", "sessions_send", "group:fs", "cron"];

it.each([
  ["raed", "read"],
  ["rea", "read"],
  ["reaad", "read"],
  ["re", "read"],
  ["xread", "read"],
  ["wirte", "write"],
  ["wiret", "write"],
  ["group:sf", "group:fs"],
  ["session_lst", "sessions_list"],
  ["sessions_sned", "sessions_send"],
])("%s is a slip of %s", (name, nearest) => {
  expect(nearestTypo(name, KNOWN)).toBe(nearest);
});

it.each(["browser", "readers", "", "x", "group:media", "r".repeat(100_000)])(
  "%.20s is not close to any name",
  (name) => {
    expect(nearestTypo(name, KNOWN)).toBeUndefined();
  },
);

it("takes the nearest, though another came first", () => {
  expect(nearestTypo("cats", ["cart", "cat"])).toBe("cat");
  expect(nearestTypo("boat", ["bat", "boot"])).toBe("bat");
});
