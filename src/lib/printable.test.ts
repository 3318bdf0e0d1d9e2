// What may be printed stays, what would move the cursor or hide text is shown as an escape.

import { describe, expect, it } from "vitest";
import { toPrintable } from "./printable.js";

const CASES: [given: string, shown: string][] = [
  ["src/naïve file.txt", "src/naïve file.txt"],
  ["日本語/👩‍🚀.txt", "日本語/👩‍🚀.txt"],
  ["a\nb.txt", "a\\u{000A}b.txt"],
  ["\u001b[2Jx", "\\u{001B}[2Jx"],
  ["a\u202Etxt.exe", "a\\u{202E}txt.exe"],
  ["a\u2028b", "a\\u{2028}b"],
  ["\uFEFFa", "\\u{FEFF}a"],
  ["a\uD800b", "a\\u{D800}b"],
  ["tag\u{E0041}", "tag\\u{E0041}"],
];

describe("toPrintable", () => {
  it.each(CASES)("shows %j as %j", (given, shown) => {
    expect(toPrintable(given)).toBe(shown);
  });

  it("cuts long text and marks the cut", () => {
    expect(toPrintable("x".repeat(301))).toBe(`${"x".repeat(300)}…`);
    expect(toPrintable("x".repeat(300))).toBe("x".repeat(300));
  });

  it("does not cut a character in half", () => {
    expect(toPrintable("ab😀cd", 3)).toBe("ab…");
  });
});
