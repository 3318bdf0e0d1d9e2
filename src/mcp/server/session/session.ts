// One client's session: reads, runs and answers its messages, whatever the transport.

import { randomUUID } from "node:crypto";
import { isToolError, type ToolkitEvents } from "../../../core/index.js";
import { readField } from "../../../lib/read-field.js";
import {
  type IncomingMessage,
  keyOfId,
  type OutgoingMessage,
  parseMessage,
  RPC_CODES,
  RpcError,
  type RpcNotification,
  type RpcRequest,
  readRpcId,
  toErrorResponse,
  toNotification,
  toResponse,
} from "../json-rpc.js";
import { traitsOf } from "../versions.js";
import { findMethod } from "./methods.js";
import { createSeenArtifacts } from "./resources.js";
import {
  createOutgoing,
  type Exchange,
  LOG_LEVELS,
  type Outlet,
  type SessionParts,
  type SessionSettings,
} from "./session-parts.js";
import { createWaitingCalls } from "./waiting-calls.js";

const MAX_RUNNING = 64;
const MAX_BATCH = 64;
const NOTICE = LOG_LEVELS.indexOf("notice");

export type Session = ReturnType<typeof createSession>;

export type Answer = OutgoingMessage | readonly OutgoingMessage[] | undefined;

/** `outlet`: for messages outside of requests. */
export function createSession(settings: SessionSettings, outlet: Outlet) {
  const running = new Map<string, AbortController>();
  const parts: SessionParts = {
    settings,
    caller: settings.toolkit.forCaller({ runId: randomUUID() }),
    state: { version: undefined, isReady: false, canElicit: false, logLevel: undefined },
    outgoing: createOutgoing(),
    waiting: createWaitingCalls(),
    artifacts: createSeenArtifacts(),
  };
  const unwatch = watchToolkit(parts, outlet);

  async function receiveOne(message: IncomingMessage, exchange: Exchange) {
    if (message.kind === "request") return runRequest(message, { parts, running, exchange });
    if (message.kind === "notification") return note(message, { parts, running });
    if (message.kind === "answer") return parts.outgoing.settle(message);
    return toErrorResponse(message.id, new RpcError(RPC_CODES.invalidRequest, message.message));
  }

  return {
    /** Undefined without an answer. Never rejects. */
    async receive(value: unknown, exchange: Exchange): Promise<Answer> {
      if (!Array.isArray(value))
        return (await receiveOne(parseMessage(value), exchange)) ?? undefined;
      const refusal = refuseBatch(value, parts);
      if (refusal) return toErrorResponse(null, refusal);
      const answers = await Promise.all(
        value.map((one) => receiveOne(parseMessage(one), exchange)),
      );
      const given = answers.filter((answer) => answer !== undefined);
      return given.length === 0 ? undefined : given;
    },
    /** Includes calls that wait for approval. */
    isBusy: () => running.size > 0 || parts.waiting.count() > 0,
    close(reason?: unknown) {
      unwatch();
      for (const controller of running.values()) controller.abort(reason);
      parts.waiting.close(reason);
      parts.outgoing.close();
    },
  };
}

interface Run {
  readonly parts: SessionParts;
  readonly running: Map<string, AbortController>;
}

/** A cancelled request gets no answer. */
async function runRequest(
  { id, method, params }: RpcRequest,
  { parts, running, exchange }: Run & { readonly exchange: Exchange },
): Promise<OutgoingMessage | undefined> {
  const key = keyOfId(id);
  const controller = new AbortController();
  const refusal = refuseRequest(key, running);
  if (refusal) return toErrorResponse(id, refusal);
  const { signal } = controller;
  // AbortSignal.any would leak for the life of the connection.
  const stop = () => controller.abort(exchange.signal.reason);
  exchange.signal.addEventListener("abort", stop);
  if (exchange.signal.aborted) stop();
  running.set(key, controller);
  try {
    const context = { parts, exchange: { ...exchange, signal } };
    const result = await findMethod(method, context)(params, context);
    return signal.aborted ? undefined : toResponse(id, result);
  } catch (error) {
    return signal.aborted ? undefined : toErrorResponse(id, toRpcError(error, parts));
  } finally {
    exchange.signal.removeEventListener("abort", stop);
    running.delete(key);
  }
}

function refuseRequest(key: string, running: Run["running"]): RpcError | undefined {
  if (running.has(key)) {
    return new RpcError(RPC_CODES.invalidRequest, "A request with this id is still running.");
  }
  if (running.size < MAX_RUNNING) return undefined;
  return new RpcError(RPC_CODES.limit, `At most ${MAX_RUNNING} requests may run at once.`);
}

function refuseBatch(value: readonly unknown[], { state }: SessionParts): RpcError | undefined {
  const isAllowed = traitsOf(state.version).hasBatches;
  if (isAllowed && value.length > 0 && value.length <= MAX_BATCH) return undefined;
  const why = isAllowed
    ? `A batch has 1 to ${MAX_BATCH} messages.`
    : "Batches are not part of this version of the protocol; send one message at a time.";
  return new RpcError(RPC_CODES.invalidRequest, why);
}

/** Unknown ones are ignored, as the protocol requires. */
function note({ method, params }: RpcNotification, { parts, running }: Run): undefined {
  if (method === "notifications/initialized") parts.state.isReady = true;
  if (method !== "notifications/cancelled") return undefined;
  const id = readRpcId(readField(params, "requestId"));
  if (id !== undefined) running.get(keyOfId(id))?.abort();
  return undefined;
}

function toRpcError(error: unknown, { settings }: SessionParts): RpcError {
  if (error instanceof RpcError) return error;
  if (isToolError(error)) return new RpcError(RPC_CODES.internal, error.message);
  settings.report(error);
  return new RpcError(RPC_CODES.internal, "The server failed at this request.");
}

function watchToolkit({ settings, state }: SessionParts, outlet: Outlet): () => void {
  const { toolkit } = settings;
  const ends = [
    toolkit.on("tools", () => {
      if (state.isReady) outlet.send(toNotification("notifications/tools/list_changed"));
    }),
    toolkit.on("notice", ({ message }: ToolkitEvents["notice"]) => {
      const { logLevel } = state;
      if (logLevel === undefined || LOG_LEVELS.indexOf(logLevel) > NOTICE) return;
      const params = { level: "notice", logger: "clawtools", data: message };
      outlet.send(toNotification("notifications/message", params));
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
