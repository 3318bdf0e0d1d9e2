// Keys that stand twice are found wherever JSON5 lets them stand, and nothing else is taken for one.

import { describe, expect, it } from "vitest";
import { scanText } from "./parse-text.js";

const scan = (text: string) =>
  scanText(text, { maxDepth: 64, decodeName: (raw) => raw.replaceAll(/\\u0061/g, "a") });
const repeatsOf = (text: string) => scan(text).repeats.map(({ path }) => path.join("."));

describe("scanText", () => {
  it.each([
    ["{ a: 1, a: 2 }", ["a"]],
    [`{ a: 1, "a": 2, 'a': 3 }`, ["a", "a"]],
    ["{ a: 1, \\u0061: 2 }", ["a"]],
    ["{ x: [{ b: 1 }, { b: 1, b: 2 }] }", ["x.1.b"]],
    ["{ a: { c: 1 }, b: { c: 1 }, d: { c: 1, c: 2 } }", ["d.c"]],
    ["{ a: [1, 2], /* a: */ b: 'a: 1, b: 2', // b: 3\n b: 4 }", ["b"]],
    ["{ a: {}, a: [] }", ["a"]],
    [`{ 'it\\'s': 1, "it\\'s": 2, c: 3, c: 4 }`, ["c"]],
  ])("%s repeats %j", (text, repeats) => {
    expect(repeatsOf(text)).toEqual(repeats);
  });

  it.each([
    "{ a: 'a', b: [a, a], c: { a: 1 } }",
    "{ a: '{ a: 1, a: 2 }' }",
    "{ a: 1 /* , a: 2 */ } // { b: 1, b: 2 }",
    "['a', 'a', { a: 1 }, { a: 1 }]",
    '{ "a": "x\\\\", "b": "}" }',
    "",
    "}}]],,::",
    '{ "unfinished',
    "{ a: /* unfinished",
  ])("%s repeats nothing", (text) => {
    expect(repeatsOf(text)).toEqual([]);
  });

  it("tells where both stand", () => {
    expect(scan("{ a: 1,\n a: 2 }").repeats).toEqual([{ path: ["a"], offset: 9, firstOffset: 2 }]);
  });

  it("counts depth outside of texts and comments only", () => {
    expect(scan(`${"[".repeat(64)}'${"[".repeat(100)}'`).tooDeep).toBe(false);
    expect(scan(`// ${"[".repeat(100)}\n${"{a:".repeat(64)}`).tooDeep).toBe(false);
    expect(scan("[".repeat(65)).tooDeep).toBe(true);
    expect(scan("{a:".repeat(65)).tooDeep).toBe(true);
  });

  it("ends with long texts of every kind", () => {
    const long = 1024 * 1024;
    for (const text of ['"', "'", " ", "/*", "//", "a", ",", "\\", '"\\', "/", "{", ":"]) {
      expect(scan(text.repeat(long / text.length))).toBeDefined();
    }
  });
});
