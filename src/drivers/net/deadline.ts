// One limit for all that a request waits for: names, connections, redirects, the body. Leaner than
// an AbortSignal of its own, which would cost as much as the rest of a small request.

import { abortError, type ToolError } from "../../core/index.js";

/** The longest that a timer can wait; beyond it, it fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface Deadline {
  /** What to throw, once it is over. */
  readonly error: ToolError | undefined;
  /** Calls `work` when it is over, at once if it is; the returned function takes it back. */
  onOver(work: (error: ToolError) => void): () => void;
  /** Ends when the work does or when the time is over, whichever comes first. */
  race<T>(work: Promise<T>): Promise<T>;
  end(): void;
}

export function startDeadline(request: {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onTimeout: () => ToolError;
}): Deadline {
  const { signal, timeoutMs, onTimeout } = request;
  const waiting = new Set<(error: ToolError) => void>();
  let over: ToolError | undefined;

  function stop(error: ToolError): void {
    if (over) return;
    over = error;
    end();
    for (const work of waiting) work(error);
    waiting.clear();
  }
  function end(): void {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
  function onOver(work: (error: ToolError) => void): () => void {
    if (over) work(over);
    else waiting.add(work);
    return () => void waiting.delete(work);
  }

  const giveUp = () => stop(abortError(signal));
  const timer = setTimeout(() => stop(onTimeout()), Math.min(Math.max(timeoutMs, 0), MAX_TIMER_MS));
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();

  return {
    get error() {
      return over;
    },
    onOver,
    race: (work) =>
      new Promise((resolve, reject) => {
        const forget = onOver(reject);
        work.then(resolve, reject).finally(forget);
      }),
    end,
  };
}
