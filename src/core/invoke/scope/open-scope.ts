// Opens the limits of each call at one door, and keeps what its calls share: one listener for the
// closing of the door, one for each signal that several calls have.

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

export function createScopeOpener(door: {
  readonly clock: Clock;
  readonly closing: AbortSignal | undefined;
}): OpenScope {
  const relay = createAbortRelay();
  // For as long as the door stands, so that no call has to take the listener on and off.
  if (door.closing) relay.listen(door.closing, () => undefined);
  return (signal) => {
    try {
      return { scope: createCallScope({ ...door, signal, relay }), signal, error: undefined };
    } catch (error) {
      // A signal that cannot be listened to costs the call, and not its answer.
      const scope = createCallScope({ ...door, signal: undefined, relay });
      return { scope, signal: undefined, error };
    }
  };
}
