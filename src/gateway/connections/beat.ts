// The pulse of the connections: a tick for clients, a ping for the network, and the end of sockets
// that answer neither.

import type { Clock } from "../../core/index.js";
import { type ConnectionSet, TICK_INTERVAL_MS } from "./connections.js";

const PING_INTERVAL_MS = 25_000;

/** The returned function ends it. */
export function startBeat(parts: {
  readonly connections: ConnectionSet;
  readonly clock: Clock;
}): () => void {
  const { connections, clock } = parts;
  const tick = setInterval(() => {
    connections.emit("tick", { ts: Math.floor(clock.now()) }, { dropIfSlow: true });
  }, TICK_INTERVAL_MS);
  const ping = setInterval(() => connections.pingAll(), PING_INTERVAL_MS);
  return () => {
    clearInterval(tick);
    clearInterval(ping);
  };
}
