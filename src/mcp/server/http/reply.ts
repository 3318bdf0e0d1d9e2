// The answer to one POST. It is plain JSON as long as the answer is all there is; whatever comes
// before it, or a long wait, makes a stream of events of it.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { OutgoingMessage } from "../protocol/json-rpc.js";
import type { Answer } from "../session/session.js";
import { type EventStream, openEventStream } from "./event-stream.js";

/** Clients give up on an answer whose head does not come. */
const MAX_SILENCE_MS = 5_000;

export interface Reply {
  /** Whether messages before the answer reach the client. */
  readonly canStream: boolean;
  send(message: OutgoingMessage): void;
  end(answer: Answer): void;
}

export function createReply(request: IncomingMessage, response: ServerResponse): Reply {
  const canStream = /\btext\/event-stream\b|\*\/\*/i.test(request.headers.accept ?? "");
  let stream: EventStream | undefined;
  const openStream = () => {
    stream ??= openEventStream(response);
    return stream;
  };
  const timer = canStream ? setTimeout(openStream, MAX_SILENCE_MS) : undefined;
  response.once("close", () => clearTimeout(timer));
  return {
    canStream,
    send(message) {
      if (canStream && !response.writableEnded) openStream().send(message);
    },
    end(answer) {
      clearTimeout(timer);
      if (response.writableEnded || response.destroyed) return;
      if (stream === undefined) return endPlain(response, answer);
      if (answer !== undefined) stream.send(answer);
      stream.end();
    },
  };
}

function endPlain(response: ServerResponse, answer: Answer): void {
  if (answer === undefined) {
    response.writeHead(202).end();
    return;
  }
  const text = JSON.stringify(answer);
  response
    .writeHead(200, {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(text),
    })
    .end(text);
}
