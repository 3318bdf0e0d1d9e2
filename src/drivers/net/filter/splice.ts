// Two connections made one: bytes both ways, as fast as the slower side takes them. Each side may be
// done with sending while the other still sends.

import type { Socket } from "node:net";

export function splice(
  client: Socket,
  upstream: Socket,
  { maxIdleMs }: { readonly maxIdleMs: number },
): void {
  // A tunnel carries whatever it carries: one end may still write when the other has finished.
  client.allowHalfOpen = true;
  upstream.allowHalfOpen = true;
  follow(client, upstream);
  follow(upstream, client);
  for (const socket of [client, upstream]) {
    socket.setTimeout(maxIdleMs, () => {
      client.destroy();
      upstream.destroy();
    });
  }
  client.pipe(upstream);
  upstream.pipe(client);
}

/** What ends well has handed on all it had, and the other side ends by itself. */
function follow(socket: Socket, other: Socket): void {
  socket.on("error", () => other.destroy());
  socket.once("close", () => {
    if (!socket.readableEnded || !socket.writableFinished) other.destroy();
  });
}
