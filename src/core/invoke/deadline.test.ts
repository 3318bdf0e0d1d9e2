// The deadline and the abort of one call, with a clock that a test moves by hand.

import { describe, expect, it } from "vitest";
import type { Clock } from "../ports/clock.js";
import { runWithDeadline } from "./deadline.js";

function createManualClock(): Clock & { fire(): void; pending(): number } {
  const timers = new Set<() => void>();
  return {
    now: () => 0,
    after(_delayMs, work) {
      timers.add(work);
      return () => timers.delete(work);
    },
    fire() {
      for (const work of timers) work();
    },
    pending: () => timers.size,
  };
}

const never = () => new Promise<never>(() => undefined);

describe("runWithDeadline", () => {
  it("gives back what the work gives and leaves no timer", async () => {
    const clock = createManualClock();
    const value = await runWithDeadline(async () => 7, { clock, deadlineMs: 5, signal: undefined });
    expect(value).toBe(7);
    expect(clock.pending()).toBe(0);
  });

  it("ends work that never ends with a timeout, and tells the work", async () => {
    const clock = createManualClock();
    let seen: AbortSignal | undefined;
    const run = runWithDeadline(
      (signal) => {
        seen = signal;
        return never();
      },
      { clock, deadlineMs: 2000, signal: undefined },
    );
    clock.fire();
    await expect(run).rejects.toMatchObject({
      code: "timeout",
      message: expect.stringContaining("2 seconds"),
    });
    expect(seen?.aborted).toBe(true);
  });

  it("ends work that ignores the caller's abort", async () => {
    const clock = createManualClock();
    const controller = new AbortController();
    const run = runWithDeadline(never, { clock, deadlineMs: 5, signal: controller.signal });
    controller.abort(new Error("user left"));
    await expect(run).rejects.toMatchObject({ name: "AbortError", code: "aborted" });
    expect(clock.pending()).toBe(0);
  });

  it("does not start when the signal has fired before", async () => {
    const clock = createManualClock();
    let started = false;
    const run = runWithDeadline(
      async () => {
        started = true;
      },
      { clock, deadlineMs: 5, signal: AbortSignal.abort() },
    );
    await expect(run).rejects.toMatchObject({ code: "aborted" });
    expect(started).toBe(false);
  });

  it("takes its listener off the caller's signal", async () => {
    const clock = createManualClock();
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    await runWithDeadline(async () => 1, { clock, deadlineMs: 5, signal });
    expect(listeners).toBe(0);
  });
});
