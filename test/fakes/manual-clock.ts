// A clock that stands still until it is told to move; and a registry that runs on it.
import { type Clock, ToolRegistryBase } from "../../src/core/index.js";

export interface ManualClock extends Clock {
  advance(byMs: number): void;
  /** How many timers are waiting. */
  pending(): number;
}

export function createManualClock(): ManualClock {
  const timers = new Map<symbol, { readonly atMs: number; readonly work: () => void }>();
  let nowMs = 0;
  return {
    now: () => nowMs,
    after(delayMs, work) {
      const key = Symbol("timer");
      timers.set(key, { atMs: nowMs + delayMs, work });
      return () => {
        timers.delete(key);
      };
    },
    advance(byMs) {
      nowMs += byMs;
      for (const [key, { atMs, work }] of timers) {
        if (atMs > nowMs) continue;
        timers.delete(key);
        work();
      }
    },
    pending: () => timers.size,
  };
}

/** The registry of the library with time passed in; nothing is random and nothing is guarded. */
export function createRegistryOn(clock: Clock): ToolRegistryBase {
  const random = { hex: (byteCount: number) => "0".repeat(byteCount * 2) };
  return new ToolRegistryBase({ ports: { clock, random, guard: { run: (work) => work() } } });
}
