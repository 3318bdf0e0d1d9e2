// Opens the limits of each call at one invoker, and keeps what its calls share: one listener for the
// closing of the invoker, one for each signal that several calls have.

import type { Clock } from "../../ports/clock.js";
import { createAbortRelay } from "./abort-relay.js";
import { type CallScope, createCallScope } from "./deadline.js";

interface OpenedScope {
  readonly scope: CallScope;
  /** The caller's, when it can be listened to. */
  readonly signal: AbortSignal | undefined;
  /** Why it cannot. */
  readonly error: unknown;
}

type OpenScope = (signal: AbortSignal | undefined) => OpenedScope;

export function createScopeOpener(invoker: {
  readonly clock: Clock;
  readonly closing: AbortSignal | undefined;
}): OpenScope {
  const relay = createAbortRelay();
  // For as long as the invoker is open, so that no call has to take the listener on and off.
  if (invoker.closing) relay.listen(invoker.closing, () => undefined);
  return (signal) => {
    try {
      return { scope: createCallScope({ ...invoker, signal, relay }), signal, error: undefined };
    } catch (error) {
      // A signal that cannot be listened to costs the call, and not its answer.
      const scope = createCallScope({ ...invoker, signal: undefined, relay });
      return { scope, signal: undefined, error };
    }
  };
}
