// The machine's time and chance behind the ports of core.
import type { Clock, RandomSource } from "../core/index.js";

export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    after(delayMs, work) {
      const timer = setTimeout(work, delayMs);
      return () => clearTimeout(timer);
    },
  };
}

/** The same time, but its timers do not keep the process from ending. */
export function createQuietClock(): Clock {
  return {
    now: () => Date.now(),
    after(delayMs, work) {
      const timer = setTimeout(work, delayMs).unref();
      return () => clearTimeout(timer);
    },
  };
}

export function createSystemRandom(): RandomSource {
  return {
    // The global is loaded at its first use; importing node:crypto would cost every start.
    hex: (byteCount) =>
      Buffer.from(crypto.getRandomValues(new Uint8Array(byteCount))).toString("hex"),
  };
}
