// Waits a while, or until the signal ends the work.

import { abortError, type Clock } from "../../../../core/index.js";

export function pause(request: {
  readonly clock: Clock;
  readonly ms: number;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { clock, ms, signal } = request;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(abortError(signal));
      return;
    }
    const giveUp = () => {
      takeBack();
      reject(abortError(signal));
    };
    const takeBack = clock.after(ms, () => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    });
    signal.addEventListener("abort", giveUp, { once: true });
  });
}
