// Messages as server-sent events.

import type { ServerResponse } from "node:http";
import type { Answer } from "../session/session.js";

/** A line that means nothing, so that no one on the way takes the connection for dead. */
const BEAT = ": beat\n\n";
const BEAT_MS = 15_000;
/** A client that lets more than this lie unread is gone. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

export interface EventStream {
  send(message: NonNullable<Answer>): void;
  end(): void;
}

export function openEventStream(response: ServerResponse): EventStream {
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
  });
  response.flushHeaders();
  const beat = setInterval(() => response.write(BEAT), BEAT_MS);
  response.once("close", () => clearInterval(beat));
  return {
    send(message) {
      if (response.writableEnded || response.destroyed) return;
      if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
      else response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    },
    end() {
      clearInterval(beat);
      response.end();
    },
  };
}
