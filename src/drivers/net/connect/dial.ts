// A TCP connection to one of several checked addresses. No name is looked up here.

import { connect, isIPv6, type Socket } from "node:net";

/** How long the next address waits for the one before it. */
const ATTEMPT_TIMEOUT_MS = 500;

export interface DialTarget {
  /** Checked; at least one. */
  readonly addresses: readonly string[];
  readonly port: number;
}

/** Opens a connection; it need not be open yet when it is given back. */
export type Dial = (target: DialTarget) => Socket;

export function dialTcp({ addresses, port }: DialTarget): Socket {
  const answers = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return connect({
    // Never looked up: the answer is already here.
    host: "checked.invalid",
    port,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
    lookup: (_host, _options, answer) => answer(null, answers),
  });
}
