// A bucket of turns for one provider: a few at once, then so many a second, and none while the
// provider asked to be left alone.

export interface Pace {
  /** Milliseconds until the turn, which is then taken; `undefined` when it is later than that. */
  take(at: { readonly nowMs: number; readonly maxWaitMs: number }): number | undefined;
  /** Milliseconds until the next turn. */
  waitMs(nowMs: number): number;
  pauseUntil(timeMs: number): void;
}

export function createPace(rate: { readonly perSecond: number; readonly burst: number }): Pace {
  const intervalMs = 1_000 / rate.perSecond;
  const headStartMs = (rate.burst - 1) * intervalMs;
  /** When the bucket will be full again. */
  let fullAtMs = 0;
  let pausedUntilMs = 0;

  function waitMs(nowMs: number): number {
    return Math.max(0, fullAtMs - headStartMs - nowMs, pausedUntilMs - nowMs);
  }

  return {
    waitMs,
    take({ nowMs, maxWaitMs }) {
      const wait = waitMs(nowMs);
      if (wait > maxWaitMs) return undefined;
      fullAtMs = Math.max(fullAtMs, nowMs + wait) + intervalMs;
      return wait;
    },
    pauseUntil(timeMs) {
      pausedUntilMs = Math.max(pausedUntilMs, timeMs);
    },
  };
}
