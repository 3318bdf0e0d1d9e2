// What is joined fits, and the rest is counted.

import { expect, it } from "vitest";
import { joinWithin } from "./join-within.js";

const describeRest = (count: number) => `+${count}`;

it.each([
  [10, "aabbcc"],
  [6, "aabbcc"],
  [5, "aabb+1"],
  [4, "aabb+1"],
  [1, "+3"],
  [0, "+3"],
])("joins pieces within %i characters: %s", (maxChars, expected) => {
  expect(joinWithin(["aa", "bb", "cc"], { maxChars, describeRest })).toBe(expected);
});
