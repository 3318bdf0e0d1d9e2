// Bounds the open connections of a server. When there are too many, the oldest one that was never let
// in is closed, so that a client which only holds connections open cannot keep others out.

import type { Socket } from "node:net";

export interface SocketLimit {
  readonly add: (socket: Socket) => void;
  /** A request on it was let in. */
  trust(socket: Socket): void;
}

export function createSocketLimit(maxCount: number): SocketLimit {
  const trusted = new Set<Socket>();
  const strangers = new Set<Socket>();
  return {
    add(socket) {
      strangers.add(socket);
      socket.once("close", () => {
        strangers.delete(socket);
        trusted.delete(socket);
      });
      if (trusted.size + strangers.size <= maxCount) return;
      const [oldest] = strangers;
      if (oldest === undefined) return;
      strangers.delete(oldest);
      oldest.destroy();
    },
    trust(socket) {
      if (strangers.delete(socket)) trusted.add(socket);
    },
  };
}
