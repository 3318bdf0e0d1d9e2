// How many files are open at once, for the whole process: calls beyond that wait before they open
// anything. No slot is held while its holder waits for a turn at a file, so none waits for another.

import { abortError } from "../../../core/index.js";

export interface SlotWish {
  readonly signals: readonly (AbortSignal | undefined)[];
  /** Then it goes on without a slot: a disk that hangs must not hold up all others. */
  readonly maxWaitMs: number;
}

export interface Slots {
  /** What is called in the end; at once when one is free. Rejects when a signal fires. */
  take(wish: SlotWish): (() => void) | Promise<() => void>;
}

export function createSlots(count: number): Slots {
  let free = count;
  const waiting = new Set<(leave: () => void) => void>();

  function give(): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const [next] = waiting;
      if (!next) free++;
      else {
        waiting.delete(next);
        next(give());
      }
    };
  }

  function wait({ signals, maxWaitMs }: SlotWish): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        waiting.delete(take);
        for (const signal of signals) signal?.removeEventListener("abort", stop);
      };
      const take = (leave: () => void) => {
        end();
        resolve(leave);
      };
      const stop = () => {
        end();
        reject(abortError(signals.find((signal) => signal?.aborted)));
      };
      const timer = setTimeout(() => take(() => undefined), maxWaitMs);
      for (const signal of signals) signal?.addEventListener("abort", stop);
      waiting.add(take);
    });
  }

  return {
    take(wish) {
      if (free === 0) return wait(wish);
      free--;
      return give();
    },
  };
}
