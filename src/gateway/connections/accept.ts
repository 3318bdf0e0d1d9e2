// One WebSocket from its first byte to its end: challenge, connect, then requests one after the
// other. Who the client is, is decided by the authentication; what a request does, by its method.

import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { Duplex } from "node:stream";
import type { RawData, WebSocket } from "ws";
import {
  type Clock,
  closedError,
  compileValidator,
  ToolError,
  type Validator,
} from "../../core/index.js";
import {
  type ConnectParams,
  connectParams,
  MAX_HANDSHAKE_BYTES,
  type MethodTable,
  parseFrame,
  type RequestFrame,
  toErrorFrame,
  toEventFrame,
  toResponseFrame,
  toWireError,
  type WireError,
} from "../../protocol/index.js";
import type { Admission, Authenticate, RemoteFacts } from "../auth/authenticate.js";
import type { GatewayLog } from "../log/log-file.js";
import type { Connection, Connections } from "./connections.js";

/** From the upgrade to the hello. */
const HANDSHAKE_LIMIT_MS = 8_000;
const MAX_IN_FLIGHT = 64;
const MAX_REASON_BYTES = 120;
const NORMAL = 1000;
const POLICY_VIOLATION = 1008;
const TOO_LARGE = 1009;

export interface AcceptOptions {
  readonly clock: Clock;
  readonly log: GatewayLog;
  readonly authenticate: Authenticate;
  readonly connections: Connections;
  readonly table: () => MethodTable<unknown>;
  /** Reads what `hello-ok` tells; the function it gives makes its payload. */
  readonly prepareGreeting: () => Promise<(admission: Admission, connId: string) => unknown>;
  /** Fires when the gateway closes. */
  readonly closing: AbortSignal;
  readonly onRequest: (outcome: "ok" | "error") => void;
}

export interface Upgrade {
  readonly socket: WebSocket;
  readonly stream: Duplex;
  readonly remote: RemoteFacts;
  /** Called once the client has proved who it is. */
  readonly admit: () => void;
}

/** Returns how to accept the connections of one gateway. */
export function createAccept(options: AcceptOptions): (upgrade: Upgrade) => void {
  const { clock, log, authenticate, connections } = options;
  let validator: Promise<Validator> | undefined;
  const readParams = async (value: unknown): Promise<ConnectParams | string> => {
    validator ??= compileValidator(connectParams());
    const outcome = (await validator).check(value);
    // The border: it fits the schema that the type comes from.
    if (outcome.ok) return value as ConnectParams;
    const [problem] = outcome.problems;
    return `invalid connect params: at ${problem?.path ?? ""}: ${problem?.message ?? ""}`;
  };

  return ({ socket, stream, remote, admit }) => {
    const connId = randomUUID();
    const challenge = { nonce: randomUUID(), ts: Math.floor(clock.now()) };
    let state: "new" | "busy" | "ready" = "new";
    let answer: ((frame: RequestFrame) => void) | undefined;

    const end = (code: number, reason: string) => {
      socket.close(code, cutReason(reason));
      setTimeout(() => socket.terminate(), 1_000).unref();
    };
    const stopLimit = clock.after(HANDSHAKE_LIMIT_MS, () => {
      if (state !== "ready") socket.terminate();
    });
    // A frame that is announced larger than it may be is cut while it comes in, not after.
    let received = 0;
    const countBytes = (chunk: Buffer) => {
      received += chunk.length;
      if (received > MAX_HANDSHAKE_BYTES && state !== "ready")
        end(TOO_LARGE, "handshake too large");
    };
    stream.on("data", countBytes);
    socket.on("error", (error) =>
      log.write("debug", `connection failed: ${error.message}`, { connId }),
    );
    socket.once("close", () => {
      stopLimit();
      stream.off("data", countBytes);
    });

    const refuse = (id: unknown, error: WireError, code = POLICY_VIOLATION) => {
      socket.send(toErrorFrame(id, error));
      log.write("warn", `connection refused: ${error.message}`, { connId, ip: remote.address });
      end(code, error.message);
    };

    async function connect(frame: RequestFrame): Promise<void> {
      const params = await readParams(frame.params);
      if (typeof params === "string") return refuse(frame.id, invalid(params));
      const outcome = await authenticate({ params, challenge, remote });
      if (socket.readyState !== socket.OPEN) return;
      if (!outcome.ok) return refuse(frame.id, outcome.error, outcome.closeCode);
      const { admission } = outcome;
      const greet = await options.prepareGreeting();
      if (socket.readyState !== socket.OPEN) return;
      const connection = connections.add(socket, {
        connId,
        principal: {
          role: admission.role,
          scopes: admission.scopes,
          deviceId: admission.deviceId,
          connId,
          clientName: params.client.displayName ?? params.client.id,
        },
        params,
        address: remote.address,
        connectedAtMs: challenge.ts,
      });
      admit();
      state = "ready";
      stopLimit();
      stream.off("data", countBytes);
      answer = createAnswer({ ...options, connection, socket });
      socket.send(toResponseFrame(frame.id, greet(admission, connId)));
    }

    function receiveFirst(text: string) {
      if (Buffer.byteLength(text) > MAX_HANDSHAKE_BYTES) return end(TOO_LARGE, "frame too large");
      const parsed = parseFrame(text);
      if (parsed.kind === "not-json") return end(NORMAL, "");
      if (parsed.kind === "invalid") return refuse(parsed.id, invalid(FIRST_FRAME));
      if (parsed.frame.method !== "connect") return refuse(parsed.frame.id, invalid(FIRST_FRAME));
      state = "busy";
      connect(parsed.frame).catch((error: unknown) => {
        log.write("error", `handshake failed: ${String(error)}`, { connId });
        refuse(parsed.frame.id, toWireError(error));
      });
    }

    socket.on("message", (data: RawData, isBinary: boolean) => {
      if (isBinary) return end(1003, "frames must be text");
      const text = String(data);
      if (state === "new") return receiveFirst(text);
      // Before the hello nothing else may come.
      if (answer === undefined) return end(POLICY_VIOLATION, "connect is not answered yet");
      const parsed = parseFrame(text);
      if (parsed.kind === "request") return answer(parsed.frame);
      const id = parsed.kind === "invalid" ? parsed.id : undefined;
      socket.send(toErrorFrame(id ?? "", invalid(parsed.why)));
    });
    socket.send(toEventFrame({ event: "connect.challenge", payload: challenge }));
  };
}

const FIRST_FRAME = "invalid handshake: first request must be connect";

interface AnswerOptions extends AcceptOptions {
  readonly connection: Connection;
  readonly socket: WebSocket;
}

/** Requests of one connection, side by side up to a limit. */
function createAnswer(options: AnswerOptions): (frame: RequestFrame) => void {
  const { connection, socket, table, closing, onRequest, log } = options;
  const { principal } = connection;
  const gone = new AbortController();
  setMaxListeners(0, gone.signal);
  const stop = () => gone.abort(closedError());
  closing.addEventListener("abort", stop);
  socket.once("close", () => {
    closing.removeEventListener("abort", stop);
    gone.abort();
  });
  let inFlight = 0;

  function fail(frame: RequestFrame, thrown: unknown): void {
    const error = toWireError(thrown);
    onRequest("error");
    if (error.code === "UNAVAILABLE") {
      log.write("warn", `${frame.method} failed: ${error.message}`, { connId: connection.connId });
    }
    const payload = thrown instanceof ToolError ? thrown.details?.payload : undefined;
    connection.sendText(toErrorFrame(frame.id, error, payload));
  }

  function succeed(frame: RequestFrame, payload: unknown): void {
    onRequest("ok");
    connection.sendText(toResponseFrame(frame.id, payload));
  }

  return (frame) => {
    if (frame.method === "connect") {
      return fail(
        frame,
        new ToolError("invalid_input", "connect is only valid as the first request"),
      );
    }
    if (inFlight >= MAX_IN_FLIGHT) return fail(frame, tooMany());
    try {
      const answer = table().call({
        method: frame.method,
        params: frame.params,
        principal,
        signal: gone.signal,
        respond: (payload) => connection.sendText(toResponseFrame(frame.id, payload)),
      });
      if (!(answer instanceof Promise)) return succeed(frame, answer);
      inFlight++;
      answer
        .then(
          (payload: unknown) => succeed(frame, payload),
          (error: unknown) => fail(frame, error),
        )
        .finally(() => {
          inFlight--;
        });
    } catch (error) {
      fail(frame, error);
    }
  };
}

function tooMany(): ToolError {
  return new ToolError("unavailable", `more than ${MAX_IN_FLIGHT} requests are in flight`, {
    reason: "too_many_requests",
    details: { retryAfterMs: 100 },
  });
}

function invalid(message: string): WireError {
  return { code: "INVALID_REQUEST", message };
}

/** A close frame holds 123 bytes of reason. */
function cutReason(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.length <= MAX_REASON_BYTES) return reason;
  return bytes
    .subarray(0, MAX_REASON_BYTES)
    .toString("utf8")
    .replace(/\uFFFD$/, "");
}
