// JSON-RPC 2.0 as MCP uses it.

import { isUtf8 } from "node:buffer";
import { isDeeperThan } from "../../lib/json/json-size.js";
import { readField, readText } from "../../lib/read-field.js";

export const RPC_CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** From the range for servers. */
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

export interface RpcAnswer {
  readonly kind: "answer";
  readonly id: RpcId;
  readonly result: unknown;
  readonly error: { readonly code: number; readonly message: string } | undefined;
}

interface InvalidMessage {
  readonly kind: "invalid";
  readonly id: RpcId | null;
  readonly message: string;
}

export type IncomingMessage = RpcRequest | RpcNotification | RpcAnswer | InvalidMessage;

export type OutgoingMessage = Readonly<Record<string, unknown>>;

/** An error of the protocol. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = "RpcError";
    this.code = code;
  }
}

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

/** 1 and "1" are different ids. */
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

/** A file written in one call must fit. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 256;

export function parseJson(text: string): unknown {
  if (isDeeperThan(text, MAX_DEPTH)) {
    throw new RpcError(
      RPC_CODES.invalidRequest,
      `The message is nested deeper than ${MAX_DEPTH} levels.`,
    );
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.slice(0, 200) : "";
    throw new RpcError(RPC_CODES.parse, `The message is not JSON: ${why}`);
  }
}

/** undefined unless it is UTF-8. */
export function decodeText(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

export function noText(): RpcError {
  return new RpcError(RPC_CODES.parse, "The message is not UTF-8 text.");
}

export function tooLarge(): RpcError {
  return new RpcError(
    RPC_CODES.invalidRequest,
    `The message is larger than ${MAX_MESSAGE_BYTES} bytes.`,
  );
}

const NEWLINE = 0x0a;

interface LineFramesOptions {
  readonly maxBytes: number;
  readonly onLine: (line: string) => void;
  /** Once per line. */
  readonly onTooLong: () => void;
  /** Instead of `onLine`. */
  readonly onNoText: () => void;
}

export function createLineFrames(options: LineFramesOptions) {
  const { maxBytes, onLine, onTooLong, onNoText } = options;
  let parts: Buffer[] = [];
  let pendingBytes = 0;
  let isSkipping = false;

  function clear(): void {
    parts = [];
    pendingBytes = 0;
  }

  function add(part: Uint8Array): void {
    if (isSkipping) return;
    pendingBytes += part.length;
    if (pendingBytes <= maxBytes) {
      parts.push(Buffer.from(part));
      return;
    }
    clear();
    isSkipping = true;
    onTooLong();
  }

  function endLine(): void {
    const text = isSkipping ? "" : decodeText(Buffer.concat(parts));
    isSkipping = false;
    clear();
    const line = text?.trim();
    if (line === undefined) onNoText();
    else if (line !== "") onLine(line);
  }

  return {
    push(chunk: Uint8Array) {
      let from = 0;
      for (;;) {
        const end = chunk.indexOf(NEWLINE, from);
        if (end === -1) break;
        add(chunk.subarray(from, end));
        endLine();
        from = end + 1;
      }
      if (from < chunk.length) add(chunk.subarray(from));
    },
    pendingBytes: () => pendingBytes,
  };
}
