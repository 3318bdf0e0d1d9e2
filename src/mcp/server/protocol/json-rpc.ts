// JSON-RPC 2.0 as MCP speaks it: what a message from outside is, and the shapes of what is sent.

import { readField, readText } from "../../../lib/read-field.js";

export const RPC_CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** Ours, from the range that is left to servers. */
  limit: -32000,
  resourceNotFound: -32002,
} as const;

export type RpcId = string | number;

export interface RpcRequest {
  readonly kind: "request";
  readonly id: RpcId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface RpcNotification {
  readonly kind: "notification";
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** An answer of the client to a request of ours. */
export interface RpcAnswer {
  readonly kind: "answer";
  readonly id: RpcId;
  readonly result: unknown;
  /** undefined when it succeeded. */
  readonly error: { readonly code: number; readonly message: string } | undefined;
}

export interface InvalidMessage {
  readonly kind: "invalid";
  readonly id: RpcId | null;
  readonly message: string;
}

export type IncomingMessage = RpcRequest | RpcNotification | RpcAnswer | InvalidMessage;

/** A message as it is sent: plain JSON. */
export type OutgoingMessage = Readonly<Record<string, unknown>>;

/** Stops a request with an error of the protocol. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = "RpcError";
    this.code = code;
  }
}

/** Never throws. */
export function parseMessage(value: unknown): IncomingMessage {
  const id = readId(value);
  if (!isPlainObject(value)) return invalid(null, "A message is a JSON object.");
  if (value.jsonrpc !== "2.0") return invalid(id ?? null, 'A message has jsonrpc "2.0".');
  const method = readText(value, "method");
  if (method === undefined) return readAnswer(value, id);
  const { params = {} } = value;
  if (!isPlainObject(params)) return invalid(id ?? null, "params must be an object.");
  if (!Object.hasOwn(value, "id")) return { kind: "notification", method, params };
  if (id === undefined) return invalid(null, "The id of a request is a text or a whole number.");
  return { kind: "request", id, method, params };
}

export function toResponse(id: RpcId, result: object): OutgoingMessage {
  return { jsonrpc: "2.0", id, result };
}

export function toErrorResponse(id: RpcId | null, error: RpcError): OutgoingMessage {
  return { jsonrpc: "2.0", id, error: { code: error.code, message: error.message } };
}

export function toNotification(method: string, params?: object): OutgoingMessage {
  return { jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) };
}

export function toRequest(id: RpcId, method: string, params: object): OutgoingMessage {
  return { jsonrpc: "2.0", id, method, params };
}

/** Two ids are the same only when their types are: 1 is not "1". */
export function keyOfId(id: RpcId): string {
  return `${typeof id}:${id}`;
}

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function readRpcId(value: unknown): RpcId | undefined {
  if (typeof value === "string") return value;
  return Number.isSafeInteger(value) ? Number(value) : undefined;
}

function readId(value: unknown): RpcId | undefined {
  return isPlainObject(value) && Object.hasOwn(value, "id") ? readRpcId(value.id) : undefined;
}

function readAnswer(
  value: Readonly<Record<string, unknown>>,
  id: RpcId | undefined,
): RpcAnswer | InvalidMessage {
  const isAnswer = Object.hasOwn(value, "result") || Object.hasOwn(value, "error");
  if (!isAnswer) return invalid(id ?? null, "A message has a method, a result or an error.");
  if (id === undefined) return invalid(null, "An answer names the request that it belongs to.");
  const { error } = value;
  if (error === undefined) return { kind: "answer", id, result: value.result, error: undefined };
  const code = readField(error, "code");
  return {
    kind: "answer",
    id,
    result: undefined,
    error: {
      code: typeof code === "number" ? code : RPC_CODES.internal,
      message: readText(error, "message") ?? "",
    },
  };
}

function invalid(id: RpcId | null, message: string): InvalidMessage {
  return { kind: "invalid", id, message };
}
