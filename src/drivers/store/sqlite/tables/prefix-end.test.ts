// The end of the range of a prefix, in the order of code points.

import { expect, it } from "vitest";
import { prefixEnd } from "./kv.js";

it.each([
  ["a", "b"],
  ["ab", "ac"],
  ["a\uD7FF", "a\uE000"],
  ["a\uFFFF", "a\u{10000}"],
  ["a\u{1F600}", "a\u{1F601}"],
  ["a\u{10FFFF}", "b"],
  ["a\u{10FFFF}\u{10FFFF}", "b"],
  ["", undefined],
  ["\u{10FFFF}", undefined],
])("%j ends before %j", (prefix, end) => {
  expect(prefixEnd(prefix)).toBe(end);
});
