// Waits until a delay is over or a signal is aborted, whichever comes first.

interface Timers {
  after(delayMs: number, work: () => void): () => void;
}

export function pause(
  clock: Timers,
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
