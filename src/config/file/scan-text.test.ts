// Keys that stand twice are found wherever JSON5 lets them stand, and nothing else is taken for one.

import json5 from "json5";
import { describe, expect, it } from "vitest";
import { parseText } from "./parse-text.js";

const faultsOf = (text: string) => {
  const parsed = parseText(text, json5.parse);
  return parsed.ok ? [] : parsed.faults;
};
const repeatsOf = (text: string) => faultsOf(text).map(({ path }) => path.join("."));

describe("parseText", () => {
  it.each([
    ["{ a: 1, a: 2 }", ["a"]],
    [`{ a: 1, "a": 2, 'a': 3 }`, ["a", "a"]],
    ["{ a: 1, \\u0061: 2 }", ["a"]],
    ["{ x: [{ b: 1 }, { b: 1, b: 2 }] }", ["x.1.b"]],
    ["{ a: { c: 1 }, b: { c: 1 }, d: { c: 1, c: 2 } }", ["d.c"]],
    ["{ a: [1, 2], /* a: */ b: 'a: 1, b: 2', // b: 3\n b: 4 }", ["b"]],
    ["{ a: {}, a: [] }", ["a"]],
    [`{ 'it\\'s': 1, "it\\'s": 2, c: 3, c: 4 }`, ["it's", "c"]],
  ])("%s repeats %j", (text, repeats) => {
    expect(repeatsOf(text)).toEqual(repeats);
  });

  it.each([
    "{ a: 'a', b: ['a', 'a'], c: { a: 1 } }",
    "{ a: '{ a: 1, a: 2 }' }",
    "{ a: 1 /* , a: 2 */ } // { b: 1, b: 2 }",
    "['a', 'a', { a: 1 }, { a: 1 }]",
    '{ "a": "x\\\\", "b": "}" }',
  ])("%s repeats nothing", (text) => {
    expect(repeatsOf(text)).toEqual([]);
  });

  it("tells where both stand", () => {
    expect(faultsOf("{ a: 1,\n a: 2 }")).toEqual([
      { path: ["a"], message: 'has the key "a" twice: on line 1 and on line 2' },
    ]);
  });

  it("counts depth outside of texts and comments only", () => {
    const lists = (count: number) =>
      `// ${"[".repeat(100)}\n${"[".repeat(count)}'['${"]".repeat(count)}`;
    const objects = (count: number) => `${"{a:".repeat(count)}1${"}".repeat(count)}`;
    for (const nest of [lists, objects]) {
      expect(faultsOf(nest(64))).toEqual([]);
      expect(faultsOf(nest(65))).toEqual([{ path: [], message: "is deeper than 64 levels" }]);
      expect(faultsOf(nest(100_000))).toHaveLength(1);
    }
  });

  it("ends with long texts of every kind", () => {
    const long = 1024 * 1024;
    for (const text of ['"', "'", " ", "/*", "//", "a", ",", "\\", '"\\', "/", "{", ":"]) {
      expect(faultsOf(text.repeat(long / text.length))).toHaveLength(1);
    }
  });
});
