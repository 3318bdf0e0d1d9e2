// Turns: who runs beside whom, in which order, and that nothing is left behind.

import { describe, expect, it } from "vitest";
import { createTurnQueue, type TurnMode } from "./with-files.js";

const hasBegun = async (waiting: Promise<void> | undefined) => {
  if (!waiting) return true;
  const late = Symbol("late");
  const outcome = await Promise.race([waiting, Promise.resolve(late)]);
  return outcome !== late;
};

describe("a turn queue", () => {
  it("shared turns run together and wait for nobody", () => {
    const queue = createTurnQueue();
    const turns = Array.from({ length: 5 }, () => queue.take(["a"], "shared"));
    expect(turns.map(({ waiting }) => waiting)).toEqual(Array(5).fill(undefined));
    for (const turn of turns) turn.leave();
    expect(queue.size).toBe(0);
  });

  it("a lone turn waits for all before it, and all behind it wait for it", async () => {
    const queue = createTurnQueue();
    const [one, two] = [queue.take(["a"], "shared"), queue.take(["a"], "shared")];
    const alone = queue.take(["a"], "alone");
    const behind = queue.take(["a"], "shared");
    one.leave();
    expect(await hasBegun(alone.waiting)).toBe(false);
    two.leave();
    expect(await hasBegun(alone.waiting)).toBe(true);
    expect(await hasBegun(behind.waiting)).toBe(false);
    alone.leave();
    expect(await hasBegun(behind.waiting)).toBe(true);
  });

  it("a turn given up lets those behind it in", async () => {
    const queue = createTurnQueue();
    const reading = queue.take(["a"], "shared");
    const alone = queue.take(["a"], "alone");
    const behind = queue.take(["a"], "shared");
    expect(await hasBegun(behind.waiting)).toBe(false);
    alone.leave();
    alone.leave();
    expect(await hasBegun(behind.waiting)).toBe(true);
    for (const turn of [reading, behind]) turn.leave();
    expect(queue.size).toBe(0);
  });

  it("random turns at several names all come, lone ones alone, each name in order", async () => {
    const queue = createTurnQueue();
    const running = new Map<string, TurnMode[]>();
    const begun = new Map<string, number[]>();
    let state = 7;
    const draw = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % below;
    };
    const takeOne = async (index: number) => {
      const names = ["a", "b", "c", "d"].filter(() => draw(2) === 0);
      const mode: TurnMode = draw(3) === 0 ? "alone" : "shared";
      const turn = queue.take(names, mode);
      const steps = draw(4);
      await turn.waiting;
      for (const name of names) {
        const beside = running.get(name) ?? [];
        if (mode === "alone") expect(beside).toEqual([]);
        else expect(beside).not.toContain("alone");
        running.set(name, [...beside, mode]);
        if (mode === "alone") begun.set(name, [...(begun.get(name) ?? []), index]);
      }
      for (let step = 0; step < steps; step++) await Promise.resolve();
      for (const name of names) running.set(name, (running.get(name) ?? []).slice(1));
      turn.leave();
    };
    await Promise.all(Array.from({ length: 400 }, (_, index) => takeOne(index)));
    expect(queue.size).toBe(0);
    for (const order of begun.values()) {
      expect(order).toEqual([...order].sort((left, right) => left - right));
      expect(order.length).toBeGreaterThan(10);
    }
  });
});
