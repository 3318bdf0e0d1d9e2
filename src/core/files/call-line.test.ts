// Who stands in line goes ahead in the order of coming, and who leaves holds nobody up.

import { expect, it } from "vitest";
import { createCallLine } from "./call-line.js";

it("the first goes at once, the others when all before them have gone", async () => {
  const line = createCallLine();
  const [first, second, third] = [line.enter(), line.enter(), line.enter()];
  const order: string[] = [];
  const wait = async (name: string, place: typeof first) => {
    await place.turn();
    order.push(name);
    place.leave();
  };
  const waiting = [wait("third", third), wait("second", second)];
  expect(first.turn()).toBeUndefined();
  order.push("first");
  first.leave();
  await Promise.all(waiting);
  expect(order).toEqual(["first", "second", "third"]);
  expect(line.size).toBe(0);
});

it("one that leaves before its turn is passed over, and leaving twice does nothing", async () => {
  const line = createCallLine();
  const [first, second, third] = [line.enter(), line.enter(), line.enter()];
  const turn = third.turn();
  const given = second.turn();
  second.leave();
  second.leave();
  await given;
  expect(second.turn()).toBeUndefined();
  expect(third.turn()).toBeDefined();
  first.leave();
  await turn;
  expect(line.size).toBe(1);
  third.leave();
  expect(line.size).toBe(0);
});
