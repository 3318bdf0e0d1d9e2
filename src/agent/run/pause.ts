// Waiting that a signal ends early.

import type { Clock } from "../../core/index.js";

export function pause(
  clock: Clock,
  { delayMs, signal }: { readonly delayMs: number; readonly signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(delayMs, done);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
