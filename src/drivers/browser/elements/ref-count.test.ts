// Refs that are counted over all tabs, and what one tab knows of them.

import { expect, test } from "vitest";
import { createRefCount } from "./ref-count.js";
import { createRefNames } from "./ref-names.js";

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
