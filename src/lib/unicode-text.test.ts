// Cuts fall between characters, and halves of characters are found.

import { describe, expect, it } from "vitest";
import { cutText, hasLoneSurrogate, splitByteOrderMark } from "./unicode-text.js";

const WIDE = { maxChars: 1_000, maxBytes: 1_000 };

describe("cutText", () => {
  it.each([
    ["abc", WIDE, "abc"],
    ["abc", { maxChars: 2, maxBytes: 1_000 }, "ab"],
    ["ab😀", { maxChars: 3, maxBytes: 1_000 }, "ab"],
    ["ab😀", { maxChars: 4, maxBytes: 1_000 }, "ab😀"],
    ["aéb", { maxChars: 1_000, maxBytes: 2 }, "a"],
    ["aéb", { maxChars: 1_000, maxBytes: 3 }, "aé"],
    ["日本", { maxChars: 1_000, maxBytes: 5 }, "日"],
    ["😀😀", { maxChars: 1_000, maxBytes: 7 }, "😀"],
    ["abc", { maxChars: 0, maxBytes: 10 }, ""],
    ["abc", { maxChars: 10, maxBytes: -1 }, ""],
  ])("cuts %j at %j to %j", (text, limits, kept) => {
    expect(cutText(text, limits)).toBe(kept);
  });
});

describe("hasLoneSurrogate", () => {
  it("finds halves and leaves whole pairs alone", () => {
    expect(hasLoneSurrogate("a\uD800")).toBe(true);
    expect(hasLoneSurrogate("\uDE00b")).toBe(true);
    expect(hasLoneSurrogate("😀 and \uFFFD")).toBe(false);
  });
});

describe("splitByteOrderMark", () => {
  it("splits one mark off the beginning and only there", () => {
    expect(splitByteOrderMark("\uFEFFa\uFEFF")).toEqual({ mark: "\uFEFF", body: "a\uFEFF" });
    expect(splitByteOrderMark("a")).toEqual({ mark: "", body: "a" });
  });
});
