// The one error class, its codes with HTTP and exit numbers, and the conversion of thrown values.

import { cutChars } from "../lib/unicode-text.js";

export const ERROR_CODES = {
  invalid_input: { http: 400, exit: 2 },
  denied: { http: 403, exit: 3 },
  approval_required: { http: 403, exit: 4 },
  not_found: { http: 404, exit: 5 },
  conflict: { http: 409, exit: 6 },
  limit: { http: 413, exit: 7 },
  unavailable: { http: 503, exit: 8 },
  timeout: { http: 504, exit: 9 },
  failed: { http: 502, exit: 10 },
  aborted: { http: 499, exit: 130 },
  internal: { http: 500, exit: 70 },
} as const satisfies Record<string, { http: number; exit: number }>;

const MAX_FOREIGN_MESSAGE_CHARS = 2_000;
const MAX_CAUSES = 8;
const UNPRINTABLE = "an error that cannot be printed";
const STACK_FRAMES = /\n {4}at [^\n]*/g;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface ToolErrorOptions {
  /** The fine name of the failure, in snake case. */
  readonly reason?: string | undefined;
  readonly cause?: unknown;
  /** Facts for programs; they reach `details` of the result, so no secrets. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

export class ToolError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly exitCode: number;
  readonly reason: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ToolError";
    // A caller without types may name a code that does not exist; an error must still be made.
    this.code = Object.hasOwn(ERROR_CODES, code) ? code : "internal";
    this.status = ERROR_CODES[this.code].http;
    this.exitCode = ERROR_CODES[this.code].exit;
    this.reason = options.reason;
    this.details = options.details;
  }
}

export class ToolInputError extends ToolError {
  constructor(message: string, options?: ToolErrorOptions) {
    super("invalid_input", message, options);
    this.name = "ToolInputError";
  }
}

export class ToolAuthorizationError extends ToolInputError {
  override readonly code: ErrorCode = "denied";
  override readonly status: number = ERROR_CODES.denied.http;
  override readonly exitCode: number = ERROR_CODES.denied.exit;

  constructor(message: string, options?: ToolErrorOptions) {
    super(message, options);
    this.name = "ToolAuthorizationError";
  }
}

/** Knows a ToolError by its data, so that one made by another copy of this package counts too. */
export function isToolError(value: unknown): value is ToolError {
  try {
    return (
      value instanceof Error &&
      "code" in value &&
      typeof value.code === "string" &&
      Object.hasOwn(ERROR_CODES, value.code) &&
      "status" in value &&
      typeof value.status === "number" &&
      "exitCode" in value &&
      typeof value.exitCode === "number" &&
      typeof value.message === "string"
    );
  } catch {
    // A value whose properties cannot be read is none of ours.
    return false;
  }
}

/** Never throws, whatever was thrown. A foreign message is cut at 2,000 characters. */
export function toToolError(thrown: unknown): ToolError {
  if (isToolError(thrown)) return thrown;
  const message = toForeignMessage(thrown);
  return isAbort(thrown)
    ? createAbortError(message, thrown)
    : new ToolError("internal", message, { cause: thrown });
}

export function abortError(signal?: AbortSignal): ToolError {
  return createAbortError("the call was aborted", signal?.reason);
}

/** The reason when everything ends, as opposed to one caller's abort. */
export function closedError(): ToolError {
  return new ToolError("unavailable", "The toolkit is closed; make a new one.", {
    reason: "toolkit_closed",
  });
}

/** Whether it fired because everything ends, however often that was passed on. */
export function isClosing({ reason }: AbortSignal): boolean {
  let cause: unknown = reason;
  for (let depth = 0; depth < MAX_CAUSES && isToolError(cause); depth++) {
    if (cause.reason === "toolkit_closed") return true;
    cause = cause.cause;
  }
  return false;
}

export function tooManyOpenFiles(cause: unknown): ToolError {
  return new ToolError(
    "failed",
    "This process has too many files open; close some, or try again with fewer calls at once.",
    { reason: "emfile", details: { errno: "EMFILE" }, cause },
  );
}

function createAbortError(message: string, cause: unknown): ToolError {
  const error = new ToolError("aborted", message, { cause });
  error.name = "AbortError";
  return error;
}

function isAbort(thrown: unknown): boolean {
  try {
    return thrown instanceof Error && thrown.name === "AbortError";
  } catch {
    // A reason that cannot be read is not ours.
    return false;
  }
}

function toForeignMessage(thrown: unknown): string {
  try {
    const text = print(thrown).replace(STACK_FRAMES, "");
    if (text.length <= MAX_FOREIGN_MESSAGE_CHARS) return text;
    return `${cutChars(text, MAX_FOREIGN_MESSAGE_CHARS - 1)}…`;
  } catch {
    // Getters, toJSON and proxies of a foreign value may throw anything.
    return UNPRINTABLE;
  }
}

function print(thrown: unknown): string {
  if (typeof thrown === "function") return "a function was thrown";
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  const message: unknown = Reflect.get(thrown, "message");
  if (typeof message === "string" && message !== "") return message;
  if (thrown instanceof Error) return String(thrown.name);
  return JSON.stringify(thrown) ?? UNPRINTABLE;
}
