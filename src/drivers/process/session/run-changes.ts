// Who wants to know that output came or that a run has ended, and how often they are told.

import type { Clock } from "../../../core/index.js";

const MIN_TELL_MS = 100;

export interface RunChanges {
  /** Something came, or it has ended. */
  change(): void;
  /** As `change`, and the waiting listeners are told at once. */
  end(): void;
  onOutput(listener: () => void): () => void;
  wait(options: { readonly timeoutMs: number; readonly signal: AbortSignal }): Promise<void>;
}

export function createRunChanges(clock: Clock): RunChanges {
  const listeners = new Set<() => void>();
  const waiters = new Set<() => void>();
  let cancelTelling: (() => void) | undefined;
  let lastToldMs = Number.NEGATIVE_INFINITY;

  function tell(): void {
    cancelTelling = undefined;
    lastToldMs = clock.now();
    for (const listener of listeners) listener();
  }

  function wake(): void {
    if (waiters.size === 0) return;
    for (const waiter of [...waiters]) waiter();
  }

  return {
    change() {
      wake();
      if (listeners.size === 0 || cancelTelling !== undefined) return;
      const waitMs = Math.max(0, lastToldMs + MIN_TELL_MS - clock.now());
      cancelTelling = clock.after(waitMs, tell);
    },
    end() {
      if (cancelTelling !== undefined) {
        cancelTelling();
        tell();
      }
      listeners.clear();
      wake();
    },
    onOutput(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    wait: ({ timeoutMs, signal }) =>
      new Promise((resolve) => {
        const done = () => {
          cancel();
          waiters.delete(done);
          signal.removeEventListener("abort", done);
          resolve();
        };
        const cancel = clock.after(timeoutMs, done);
        waiters.add(done);
        signal.addEventListener("abort", done, { once: true });
        if (signal.aborted) done();
      }),
  };
}
