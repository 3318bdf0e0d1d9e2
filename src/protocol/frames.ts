// Frames on a gateway connection: text to a checked frame, and the text of answers and events.

import { isDeeperThan } from "../lib/json/json-size.js";
import { readField } from "../lib/read-field.js";
import type { WireError } from "./wire-error.js";

export const MAX_HANDSHAKE_BYTES = 64 * 1024;
export const MAX_AUTHENTICATED_BYTES = 25 * 1024 * 1024;
const MAX_DEPTH = 256;
const MAX_ID_CHARS = 256;

export interface RequestFrame {
  readonly type: "req";
  readonly id: string;
  readonly method: string;
  readonly params?: unknown;
}

export interface EventFrame {
  readonly type: "event";
  readonly event: string;
  readonly payload?: unknown;
  readonly seq?: number;
}

export type ParsedFrame =
  | { readonly kind: "request"; readonly frame: RequestFrame }
  /** JSON, but not a request; `id` is echoed as it came. */
  | { readonly kind: "invalid"; readonly id: unknown; readonly why: string }
  | { readonly kind: "not-json"; readonly why: string };

/** Never throws. Unknown fields are ignored: newer clients send more. */
export function parseFrame(text: string): ParsedFrame {
  if (isDeeperThan(text, MAX_DEPTH)) {
    return { kind: "not-json", why: `frame nests deeper than ${MAX_DEPTH} levels` };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "not-json", why: "frame is not JSON" };
  }
  const id = readField(value, "id");
  const method = readField(value, "method");
  const isRequest =
    readField(value, "type") === "req" &&
    typeof id === "string" &&
    id !== "" &&
    id.length <= MAX_ID_CHARS &&
    typeof method === "string";
  if (!isRequest) return { kind: "invalid", id, why: "invalid request frame" };
  return {
    kind: "request",
    frame: { type: "req", id, method, params: readField(value, "params") },
  };
}

export function toResponseFrame(id: string, payload: unknown): string {
  return JSON.stringify({ type: "res", id, ok: true, payload });
}

/** `id` is whatever the client sent; `payload` accompanies a failed second answer. */
export function toErrorFrame(id: unknown, error: WireError, payload?: unknown): string {
  return JSON.stringify({ type: "res", id, ok: false, error, payload });
}

export function toEventFrame(frame: Omit<EventFrame, "type">): string {
  return JSON.stringify({ type: "event", ...frame });
}
