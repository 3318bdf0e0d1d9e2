// What two texts share at their ends, without halves of characters.

import { describe, expect, it } from "vitest";
import { countSharedHead, countSharedTail } from "./shared-ends.js";

describe("shared ends", () => {
  it.each([
    ["", "", 0, 0],
    ["abc", "abc", 3, 0],
    ["abc", "abd", 2, 0],
    ["abc", "xbc", 0, 2],
    ["aa", "aaa", 2, 0],
    ["abXcd", "abYcd", 2, 2],
    ["ab", "", 0, 0],
    ["x😀y", "x😁y", 1, 1],
    ["😀", "😀a", 2, 0],
    ["\u{1F600}", "\u{1FA00}", 0, 0],
  ])("of %j and %j are %i and %i characters", (one, other, head, tail) => {
    expect(countSharedHead(one, other)).toBe(head);
    expect(countSharedTail({ one, other, head })).toBe(tail);
  });
});
