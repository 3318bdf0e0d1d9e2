// Delays that are longer than a timer of Node can be.
import { expect, it, vi } from "vitest";
import { createQuietClock, createSystemClock } from "./clock.js";

const MONTH_MS = 30 * 24 * 60 * 60_000;

it.each([
  ["system", createSystemClock],
  ["quiet", createQuietClock],
] as const)("the %s clock waits a whole month", (_name, create) => {
  vi.useFakeTimers();
  try {
    const work = vi.fn();
    const clock = create();
    clock.after(MONTH_MS, work);
    const cancelled = vi.fn();
    const cancel = clock.after(MONTH_MS, cancelled);
    vi.advanceTimersByTime(MONTH_MS - 1);
    expect(work).not.toHaveBeenCalled();
    cancel();
    vi.advanceTimersByTime(1);
    expect(work).toHaveBeenCalledOnce();
    expect(cancelled).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});
