// The signals of callers, listened to once each, however many calls under way share one: platforms
// warn of a leak when many listen. What is not a signal is refused here.

import { ToolInputError } from "../../errors.js";

export interface AbortRelay {
  /**
   * The returned function ends it. A signal that has fired already tells no one any more. Throws a
   * ToolInputError for what is not a signal.
   */
  listen(signal: AbortSignal, onAbort: () => void): () => void;
}

/** Its memory dies with the signals, and each listener with the last call of its signal. */
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
