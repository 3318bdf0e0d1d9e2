// The connections of an HTTP server, so many at once. When there are too many, the oldest one that has
// never been let in makes room: whoever only holds connections open keeps nobody out.

import type { Socket } from "node:net";

export interface Connections {
  readonly add: (socket: Socket) => void;
  /** A request on it was let in. */
  trust(socket: Socket): void;
}

export function createConnections(maxCount: number): Connections {
  const trusted = new Set<Socket>();
  /** Oldest first. */
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
