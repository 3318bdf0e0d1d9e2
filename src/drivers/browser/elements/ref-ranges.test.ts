// Which frame a number belongs to.

import type { Frame } from "playwright-core";
import { expect, test } from "vitest";
import { createRefRanges } from "./tab-world.js";

// Only told apart here.
const frames = ["a", "b"].map((name) => ({ name }) as unknown as Frame);
const [first, second] = frames as [Frame, Frame];

test("every number belongs to the frame that took it, and to no other", () => {
  const ranges = createRefRanges();
  ranges.taken(first, 5);
  ranges.taken(second, 8);
  ranges.taken(first, 9);
  const owners = [0, 1, 4, 5, 7, 8, 9].map((ref) => ranges.ownerOf(ref)?.frame);
  expect(owners).toEqual([undefined, first, first, second, second, first, undefined]);
  expect(ranges.next()).toBe(9);
});

test("after an answer that never came its numbers are not given to others", () => {
  const ranges = createRefRanges();
  ranges.lost(first);
  const next = ranges.next();
  ranges.taken(second, next + 1);
  expect(next).toBeGreaterThan(200_000);
  expect(ranges.ownerOf(next)?.frame).toBe(second);
});

test("a smaller number than before takes nothing", () => {
  const ranges = createRefRanges();
  ranges.taken(first, 5);
  ranges.taken(second, 3);
  expect(ranges.ownerOf(4)?.frame).toBe(first);
});
