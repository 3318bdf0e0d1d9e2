// The MCP server on two streams, one message per line.
import { setMaxListeners } from "node:events";
import process from "node:process";
import type { Readable, Writable } from "node:stream";
import { closedError } from "../../core/index.js";
import {
  createLineFrames,
  MAX_MESSAGE_BYTES,
  noText,
  type OutgoingMessage,
  parseJson,
  RPC_CODES,
  RpcError,
  toErrorResponse,
  tooLarge,
} from "./json-rpc.js";
import { createSession } from "./session/session.js";
import type { SessionSettings } from "./session/session-parts.js";

/** More unread output means that the client is gone. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
/** Time for answers after the input has ended, as with `echo … |`. */
const LAST_ANSWERS_MS = 1_000;

export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

export function serveStdio(settings: SessionSettings, { input, output }: StdioStreams) {
  const ending = new AbortController();
  // Each request adds a listener; this avoids Node's leak warning.
  setMaxListeners(0, ending.signal);
  let finish: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let openCount = 0;
  let lastAnswers: ReturnType<typeof setTimeout> | undefined;

  function send(message: OutgoingMessage | readonly OutgoingMessage[]): void {
    if (ending.signal.aborted) return;
    if (output.writableLength > MAX_UNREAD_BYTES) close();
    else output.write(`${JSON.stringify(message)}\n`);
  }

  const session = createSession(settings, { send });
  const exchange = { outlet: { send }, canAsk: true, signal: ending.signal };

  async function take(line: string): Promise<void> {
    const value = readLine(line);
    if (value instanceof RpcError) return send(toErrorResponse(null, value));
    openCount++;
    const answer = await session.receive(value, exchange);
    openCount--;
    if (answer !== undefined) send(answer);
    if (lastAnswers !== undefined && openCount === 0) close();
  }

  const frames = createLineFrames({
    maxBytes: MAX_MESSAGE_BYTES,
    onTooLong: () => send(toErrorResponse(null, tooLarge())),
    onNoText: () => send(toErrorResponse(null, noText())),
    onLine: (line) => void take(line),
  });
  const read = (chunk: Buffer) => frames.push(chunk);

  function endInput(): void {
    if (frames.pendingBytes() > 0) send(toErrorResponse(null, halfMessage()));
    if (openCount === 0) close();
    else lastAnswers ??= setTimeout(close, LAST_ANSWERS_MS);
  }

  function close(): void {
    if (ending.signal.aborted) return;
    clearTimeout(lastAnswers);
    const reason = closedError();
    ending.abort(reason);
    session.close(reason);
    input.off("data", read);
    // Otherwise stdin keeps the process alive.
    input.pause();
    finish();
  }

  input.on("data", read);
  input.once("end", endInput);
  // The listeners stay: a late error would be thrown.
  input.on("error", close);
  input.once("close", endInput);
  output.on("error", close);
  return { closed, close };
}

function readLine(line: string): unknown {
  try {
    return parseJson(line);
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
}

function halfMessage(): RpcError {
  return new RpcError(RPC_CODES.parse, "The input ended in the middle of a message.");
}

export function ownStreams(): StdioStreams {
  return { input: process.stdin, output: process.stdout };
}
