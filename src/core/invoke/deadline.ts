// Stage 7 of a call: run it under the caller's signal and a deadline. Whatever the tool does, the
// call ends when either fires; the tool learns of it through its own signal.

import { abortError, ToolError, toToolError } from "../errors.js";
import type { Clock } from "../ports/clock.js";

export interface DeadlineOptions {
  readonly clock: Clock;
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  /** Fires when nobody waits for calls any more; its reason is what the call then answers. */
  readonly closing?: AbortSignal | undefined;
}

/** Rejects with `aborted` when the caller gave up, with `timeout` when the deadline passed. */
export async function runWithDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  options: DeadlineOptions,
): Promise<T> {
  const { clock, deadlineMs, signal, closing } = options;
  if (signal?.aborted) throw abortError(signal);
  const controller = new AbortController();
  let stop: (error: ToolError) => void = () => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = (error) => {
      controller.abort(error);
      reject(error);
    };
  });
  const onAbort = () => stop(abortError(signal));
  const cancelTimer = clock.after(deadlineMs, () => stop(deadlinePassed(deadlineMs)));
  const onClose = () => stop(toToolError(closing?.reason));
  signal?.addEventListener("abort", onAbort, { once: true });
  closing?.addEventListener("abort", onClose, { once: true });
  try {
    return await Promise.race([work(controller.signal), stopped]);
  } finally {
    cancelTimer();
    signal?.removeEventListener("abort", onAbort);
    closing?.removeEventListener("abort", onClose);
  }
}

function deadlinePassed(deadlineMs: number): ToolError {
  return new ToolError(
    "timeout",
    `The call took longer than ${deadlineMs / 1000} seconds and was stopped; effects it had until then remain.`,
    { reason: "deadline_passed" },
  );
}
