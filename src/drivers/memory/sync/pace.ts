// Work that does not wait for anything is done in short parts, so that anyone who else uses this thread
// gets his turn between two of them.

import { setImmediate } from "node:timers/promises";

const PART_MS = 10;

export interface Pace {
  isDue(): boolean;
  /** Throws when the work is given up. */
  pause(): Promise<void>;
}

export function createPace(signal: AbortSignal): Pace {
  let beganMs = performance.now();
  return {
    isDue: () => performance.now() - beganMs >= PART_MS,
    async pause() {
      signal.throwIfAborted();
      await setImmediate();
      signal.throwIfAborted();
      beganMs = performance.now();
    },
  };
}
