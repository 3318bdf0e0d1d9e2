// Errors on the wire and in the process: a ToolError becomes the protocol's error shape and back.

import { ERROR_CODES, type ErrorCode, ToolError, toToolError } from "../core/index.js";
import { readField, readText } from "../lib/read-field.js";

export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
}

const WIRE_CODES = {
  invalid_input: "INVALID_REQUEST",
  not_found: "INVALID_REQUEST",
  conflict: "INVALID_REQUEST",
  limit: "INVALID_REQUEST",
  denied: "FORBIDDEN",
  approval_required: "FORBIDDEN",
  unavailable: "UNAVAILABLE",
  timeout: "UNAVAILABLE",
  failed: "UNAVAILABLE",
  aborted: "UNAVAILABLE",
  internal: "UNAVAILABLE",
} as const satisfies Record<ErrorCode, string>;

const TOOL_CODES: Readonly<Record<string, ErrorCode>> = {
  INVALID_REQUEST: "invalid_input",
  FORBIDDEN: "denied",
  NOT_PAIRED: "denied",
  APPROVAL_NOT_FOUND: "not_found",
};

/** `details.kind` keeps our own error code, `details.code` the reason in upper case. */
export function toWireError(thrown: unknown): WireError {
  const error = toToolError(thrown);
  const { wireCode, retryAfterMs, ...details } = { ...error.details };
  const code = error.reason?.toUpperCase();
  return {
    code: typeof wireCode === "string" ? wireCode : WIRE_CODES[error.code],
    message: error.message === "" ? error.code : error.message,
    details: { kind: error.code, ...(code === undefined ? {} : { code }), ...details },
    ...(typeof retryAfterMs === "number" ? { retryable: true, retryAfterMs } : {}),
  };
}

export function fromWireError(value: unknown): ToolError {
  const details = readField(value, "details");
  const kind = readText(details, "kind") ?? "";
  const wireCode = readText(value, "code") ?? "";
  const code = isErrorCode(kind) ? kind : (TOOL_CODES[wireCode] ?? "unavailable");
  return new ToolError(code, readText(value, "message") ?? "The gateway refused the request.", {
    reason: readText(details, "code")?.toLowerCase(),
    details: { wireCode, ...(typeof details === "object" ? details : {}) },
  });
}

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CODES, text);
}
