// Where lines begin and end around a place, in text and in bytes.

import { describe, expect, it } from "vitest";
import { countLines, endOfLine, lineNumberAt, startOfLine } from "./line-window.js";

const TEXT = "one\ntwo\n\nfour";

describe("lines around a place", () => {
  it.each([
    [0, 0, 0, 4],
    [3, 0, 0, 4],
    [4, 0, 4, 8],
    [5, 1, 0, 9],
    [8, 0, 8, 9],
    [8, 1, 4, 13],
    [9, 0, 9, 13],
    [13, 0, 9, 13],
    [13, 2, 4, 13],
    [13, 9, 0, 13],
  ])("at %i with %i more lines reach from %i to %i", (index, count, start, end) => {
    for (const lines of [TEXT, Buffer.from(TEXT)]) {
      expect(startOfLine(lines, { index, count })).toBe(start);
      expect(endOfLine(lines, { index, count })).toBe(end);
    }
  });

  it("are found when the text begins with a line end", () => {
    expect(startOfLine("\na", { index: 1, count: 0 })).toBe(1);
    expect(startOfLine("\na", { index: 1, count: 1 })).toBe(0);
    expect(startOfLine("\na", { index: 0, count: 0 })).toBe(0);
  });
});

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
