// Refs that are counted over all tabs, and what one tab knows of them.

import type { Frame } from "playwright-core";
import { expect, test } from "vitest";
import { createRefCount, createRefNames, parseRef } from "./refs.js";
import { createRefRanges } from "./world.js";

test("tabs that are listed in turns share no number, and each number knows its tab", () => {
  const count = createRefCount();
  const one = createRefNames({ next: () => count.next("t1") });
  const two = createRefNames({ next: () => count.next("t2") });
  const names = [one.nameOf(1), one.nameOf(2), two.nameOf(1), one.nameOf(3), two.nameOf(9)];
  expect(names).toEqual(["e1", "e2", "e3", "e4", "e5"]);
  expect(names.map((_name, index) => count.tabOf(index + 1))).toEqual([
    ...["t1", "t1", "t2", "t1", "t2"],
  ]);
  expect([count.tabOf(0), count.tabOf(6)]).toEqual([undefined, undefined]);
});

test("an element keeps its ref, and a ref leads to its element in its own tab alone", () => {
  const count = createRefCount();
  const one = createRefNames({ next: () => count.next("t1") });
  const two = createRefNames({ next: () => count.next("t2") });
  expect([one.nameOf(70_001), two.nameOf(5), one.nameOf(70_001)]).toEqual(["e1", "e2", "e1"]);
  expect([one.numberOf(1), one.numberOf(2), two.numberOf(2)]).toEqual([70_001, undefined, 5]);
});

test.each([
  ["e12", 12],
  ["E12", 12],
  [" e12 ", 12],
  ["@e12", 12],
  ["ref=e12", 12],
  ["ref: e12", 12],
  ["[ref=e12]", 12],
  ['ref="e12"', 12],
  ["12", 12],
  ["ax12", 12],
  ["f1e12", 12],
  ["e0", 0],
])("%s is a ref", (text, ref) => {
  expect(parseRef(text)).toBe(ref);
});

test.each(["", "e", "button", "e12 e13", "e-1", "1.5", "e1234567890", "#e12", "e12>x"])(
  "%s is none",
  (text) => {
    expect(parseRef(text)).toBeUndefined();
  },
);

// Distinct values; nothing else matters here.
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
