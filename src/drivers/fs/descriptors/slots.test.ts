// Slots: who waits, who is next, and who does not wait for ever.

import { describe, expect, it } from "vitest";
import { createSlots, type SlotWish } from "../turns.js";

const wish = (parts: Partial<SlotWish> = {}): SlotWish => ({
  signals: [],
  maxWaitMs: 60_000,
  ...parts,
});

describe("slots", () => {
  it("are given at once while there are some, then in the order of asking", async () => {
    const slots = createSlots(2);
    const first = slots.take(wish());
    const second = slots.take(wish());
    expect([typeof first, typeof second]).toEqual(["function", "function"]);
    const order: string[] = [];
    const waiting = ["a", "b"].map(async (name) => {
      const leave = await slots.take(wish());
      order.push(name);
      leave();
    });
    expect(order).toEqual([]);
    if (typeof first === "function") first();
    await Promise.all(waiting);
    expect(order).toEqual(["a", "b"]);
  });

  it("are given back once, however often that is said", async () => {
    const slots = createSlots(1);
    const leave = await slots.take(wish());
    leave();
    leave();
    await slots.take(wish());
    expect(slots.take(wish({ maxWaitMs: 1 }))).toBeInstanceOf(Promise);
  });

  it("are left to others by a caller that is aborted, at once", async () => {
    const slots = createSlots(1);
    const leave = await slots.take(wish());
    const stop = new AbortController();
    const given = slots.take(wish({ signals: [undefined, stop.signal] }));
    stop.abort();
    await expect(given).rejects.toMatchObject({ code: "aborted" });
    leave();
    expect(typeof slots.take(wish())).toBe("function");
  });

  it("are done without when the wait is too long, and then nothing is given back", async () => {
    const slots = createSlots(1);
    await slots.take(wish());
    const leave = await slots.take(wish({ maxWaitMs: 1 }));
    leave();
    expect(slots.take(wish({ maxWaitMs: 1 }))).toBeInstanceOf(Promise);
  });
});
