// Names against plain patterns.

import { expect, it } from "vitest";
import { parseGlob } from "./glob-pattern.js";

const NAMES = ["a.ts", "b.ts", "ab.ts", ".hidden", "a*b", "A", "z", "é", "x-y"];

it.each([
  ["*", ["a.ts", "b.ts", "ab.ts", "a*b", "A", "z", "é", "x-y"]],
  ["*.ts", ["a.ts", "b.ts", "ab.ts"]],
  ["?.ts", ["a.ts", "b.ts"]],
  ["[ab].ts", ["a.ts", "b.ts"]],
  ["[!a]*", ["b.ts", "A", "z", "é", "x-y"]],
  ["[^a-z]", ["A", "é"]],
  ["?", ["A", "z", "é"]],
  [".*", [".hidden"]],
  ["a\\**", ["a*b"]],
  ["*b*", ["b.ts", "ab.ts", "a*b"]],
  ["[x-z]-?", ["x-y"]],
  ["**s", ["a.ts", "b.ts", "ab.ts"]],
])("%s finds what bash finds", (pattern, expected) => {
  const [part] = parseGlob(pattern);
  if (part === undefined || "literal" in part) expect.fail("it is no pattern");
  expect(NAMES.filter((name) => part.matches(name))).toEqual(expected);
});

it("a name without a sign of a pattern is a text, also where signs were quoted", () => {
  expect(parseGlob("src/a\\*b/*")).toMatchObject([{ literal: "src" }, { literal: "a*b" }, {}]);
});

it("many stars take no long time", () => {
  const [part] = parseGlob(`${"*a".repeat(200)}b`);
  if (part === undefined || "literal" in part) expect.fail("it is no pattern");
  expect(part.matches("a".repeat(255))).toBe(false);
});
