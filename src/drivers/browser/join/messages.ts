// DevTools messages on the socket between two processes of ours: one line of JSON each.

import type { Socket } from "node:net";

export interface CdpMessage {
  readonly id?: number | undefined;
  readonly method?: string | undefined;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly sessionId?: string | undefined;
}

export function sendMessage(socket: Socket, message: object): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}

export function onMessages(socket: Socket, take: (message: CdpMessage) => void): void {
  let parts: string[] = [];
  socket.setEncoding("utf8").on("data", (part: string) => {
    parts.push(part);
    // Joined only when a line is whole: a picture comes in hundreds of parts.
    if (!part.includes("\n")) return;
    const lines = parts.join("").split("\n");
    parts = lines.splice(-1);
    for (const line of lines) take(JSON.parse(line));
  });
}
