// Which patterns compile, and which are proven to be quick.
import { describe, expect, it } from "vitest";
import { isPlainPattern, parsePattern } from "./pattern.js";

describe("parsePattern", () => {
  it("prefers the u flag, takes older patterns without it, and refuses what is none", () => {
    expect(parsePattern("^.$")?.test("\u{1f600}")).toBe(true);
    expect(parsePattern("^[\\w-.]+$")?.flags).toBe("");
    expect(parsePattern("(")).toBeUndefined();
  });
});

describe("isPlainPattern", () => {
  it.each([
    "^[A-Z]{2}$",
    "^\\d{4}-\\d{2}-\\d{2}$",
    "^#[0-9a-fA-F]{6}$",
    "^[a-z][a-z0-9_-]{0,63}$",
    "^(asc|desc)$",
    "^(?:a|b|c)$",
    "^https?://",
    "abc",
    "^a\\+b$",
    "^[*+?]$",
    "^[a-z0-9-]{1,128}$",
    "\\.json$",
    "[0-9a-f]{7}",
  ])("is sure of %s", (source) => {
    expect(isPlainPattern(source)).toBe(true);
  });

  it.each([
    "^(a+)+$",
    "(.*)*x",
    "^[a-z]+$",
    "^a*$",
    "a{2,}",
    "^(a|b)?$",
    "^(a?){30}$",
    "^(ab){2}$",
    `^${"a?".repeat(30)}${"a".repeat(30)}$`,
    `^${"(a|a)".repeat(30)}$`,
    "a{0,50}b",
    "^a|b?c",
    "^(?=a)b$",
    "^(?!a)b$",
    "^(?<name>a)$",
    "^(a)\\1$",
    "^.{0,500}x$",
    "[a-z]{1,3}$",
    `^${"a".repeat(500)}$`,
    "a{30000}b",
    "a{1000}b",
    "[ab]{10}c",
    "abcdefghijkl",
    "^a{1000}$",
    "^[a-z]{0,63}[a-z]{63}!$",
    "^a{10}|b{10}",
    "a".repeat(1_001),
  ])("is not sure of %s", (source) => {
    expect(isPlainPattern(source)).toBe(false);
  });
});
