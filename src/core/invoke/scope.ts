// The limits of one call: the caller's signal, closing, and time limits. The first ends the call.

import { abortError, ToolError, ToolInputError, toToolError } from "../errors.js";
import type { Clock } from "../ports/run-ports.js";

export interface AbortRelay {
  listen(signal: AbortSignal, onAbort: () => void): () => void;
}

export function createAbortRelay(): AbortRelay {
  const groups = new WeakMap<AbortSignal, ListenerGroup>();
  return {
    listen(signal, onAbort) {
      if (!isSignal(signal)) throw invalidSignal();
      const known = groups.get(signal);
      const group = known ?? listenOnce(signal, () => groups.delete(signal));
      if (!known) groups.set(signal, group);
      group.listeners.add(onAbort);
      return () => {
        if (!group.listeners.delete(onAbort) || group.listeners.size > 0) return;
        group.end();
      };
    },
  };
}

interface ListenerGroup {
  readonly listeners: Set<() => void>;
  readonly end: () => void;
}

function listenOnce(signal: AbortSignal, forget: () => void): ListenerGroup {
  const listeners = new Set<() => void>();
  const end = () => {
    forget();
    signal.removeEventListener("abort", fire);
  };
  const fire = () => {
    end();
    const current = [...listeners];
    listeners.clear();
    for (const listener of current) listener();
  };
  signal.addEventListener("abort", fire, { once: true });
  return { listeners, end };
}

/** By what is used of it, so that a signal of another realm or library counts. */
export function isSignal(value: unknown): value is AbortSignal {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof Reflect.get(value, "aborted") === "boolean" &&
    typeof Reflect.get(value, "addEventListener") === "function" &&
    typeof Reflect.get(value, "removeEventListener") === "function"
  );
}

function invalidSignal(): ToolInputError {
  return new ToolInputError(
    "The call cannot be used: signal must be an AbortSignal, such as new AbortController().signal.",
    { reason: "signal_invalid" },
  );
}

const MAX_TIMER_MS = 2 ** 31 - 1;

export interface CallScopeOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** Fires when no one waits for calls any more; its reason is what the call then answers. */
  readonly closing?: AbortSignal | undefined;
  readonly relay?: AbortRelay | undefined;
}

export interface TimeLimit {
  readonly limitMs: number;
  readonly error: (limitMs: number) => ToolError;
}

export interface CallScope {
  /** Fires when the call ends before its work does: abort, closing, or a limit that passed. */
  readonly signal: AbortSignal;
  assertGoing(): void;
  /** Rejects with what ends the call, or with what the work threw. */
  within<T>(limit: TimeLimit, work: () => T | PromiseLike<T>): Promise<T>;
  close(): void;
}

/** Throws a ToolInputError, and leaves nothing behind, when the signal is none. */
export function createCallScope(options: CallScopeOptions): CallScope {
  const { clock, signal, closing, relay = createAbortRelay() } = options;
  const controller = new AbortController();
  let stoppedBy: ToolError | undefined;
  const waits = new Set<(error: ToolError) => void>();
  const stop = (error: ToolError) => {
    if (stoppedBy) return;
    stoppedBy = error;
    // First the call, then the work: what the work throws on its abort is not an answer any more.
    for (const reject of waits) reject(error);
    controller.abort(error);
  };
  const onAbort = () => stop(abortError(signal));
  const onClose = () => stop(toToolError(closing?.reason));
  const endSignal = signal && relay.listen(signal, onAbort);
  const endClosing = closing && relay.listen(closing, onClose);
  if (signal?.aborted) onAbort();
  if (closing?.aborted) onClose();

  return {
    signal: controller.signal,
    assertGoing() {
      if (stoppedBy) throw stoppedBy;
    },
    async within<T>({ limitMs, error }: TimeLimit, work: () => T | PromiseLike<T>): Promise<T> {
      if (stoppedBy) throw stoppedBy;
      let end: (() => void) | undefined;
      try {
        const made = work();
        if (!isThenable(made)) return made;
        return await new Promise<T>((resolve, reject) => {
          const cancel = clock.after(Math.min(limitMs, MAX_TIMER_MS), () => stop(error(limitMs)));
          end = () => {
            waits.delete(reject);
            cancel();
          };
          waits.add(reject);
          if (stoppedBy) reject(stoppedBy);
          made.then(resolve, reject);
        });
      } catch (thrown) {
        throw stoppedBy ?? thrown;
      } finally {
        end?.();
      }
    },
    close() {
      endSignal?.();
      endClosing?.();
    },
  };
}

/** For what must be done though the call is over: only the time is limited, and no signal fires. */
export async function waitAtMost<T>(
  { limitMs, error, clock }: TimeLimit & { readonly clock: Clock },
  work: Promise<T>,
): Promise<T> {
  let cancel: (() => void) | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      cancel = clock.after(limitMs, () => reject(error(limitMs)));
      work.then(resolve, reject);
    });
  } finally {
    cancel?.();
  }
}

export function toolDeadline(limitMs: number): TimeLimit {
  const message = `The call took longer than ${limitMs / 1000} seconds and was stopped; effects it had until then remain.`;
  return { limitMs, error: () => new ToolError("timeout", message, { reason: "deadline_passed" }) };
}

export function readingLimit(limitMs: number): TimeLimit {
  const message = `Loading the tool and checking its arguments took longer than ${limitMs / 1000} seconds; it was not run.`;
  return {
    limitMs,
    error: () => new ToolError("timeout", message, { reason: "arguments_timeout" }),
  };
}

export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}
