// A final line feed ends a line; it does not begin another.

import { describe, expect, it } from "vitest";
import { countLines, lineNumberAt } from "./line-number.js";

describe("countLines", () => {
  it.each([
    ["", 0],
    ["a", 1],
    ["a\n", 1],
    ["\n", 1],
    ["a\nb", 2],
    ["a\r\nb\r\n", 2],
    ["\n\n", 2],
  ])("counts %j as %i", (text, lines) => {
    expect(countLines(text)).toBe(lines);
  });
});

describe("lineNumberAt", () => {
  it.each([
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
  ])("puts character %i of 'a\\nb\\nc' on line %i", (index, line) => {
    expect(lineNumberAt("a\nb\nc", index)).toBe(line);
  });
});
