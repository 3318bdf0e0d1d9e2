// Time and randomness of this machine.
import type { Clock, RandomSource } from "../core/index.js";

/** A longer `setTimeout` fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function createSystemClock(): Clock {
  return { now: () => Date.now(), after: (delayMs, work) => startTimer({ delayMs, work }) };
}

/** Its timers do not keep the process alive. */
export function createQuietClock(): Clock {
  return {
    now: () => Date.now(),
    after: (delayMs, work) => startTimer({ delayMs, work, isQuiet: true }),
  };
}

interface TimerRequest {
  readonly delayMs: number;
  readonly work: () => void;
  readonly isQuiet?: boolean;
}

function startTimer({ delayMs, work, isQuiet = false }: TimerRequest): () => void {
  let timer: NodeJS.Timeout;
  const arm = (leftMs: number): void => {
    const isLong = leftMs > MAX_TIMER_MS;
    const next = isLong ? () => arm(leftMs - MAX_TIMER_MS) : work;
    timer = setTimeout(next, isLong ? MAX_TIMER_MS : leftMs);
    if (isQuiet) timer.unref();
  };
  arm(delayMs);
  return () => clearTimeout(timer);
}

export function createSystemRandom(): RandomSource {
  return {
    // Importing node:crypto would slow down every start.
    hex: (byteCount) =>
      Buffer.from(crypto.getRandomValues(new Uint8Array(byteCount))).toString("hex"),
  };
}
