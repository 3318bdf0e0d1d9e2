// Reads names, numbers and spans of a request; what does not fit is reported before anything is done.

import { abortError, type StoreWriteOptions, ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { hasLoneSurrogate } from "../../../lib/unicode-text.js";
import { MAX_NAME_BYTES, MAX_SPAN_MS } from "../limits.js";

/** Bytes of UTF-8 for each unit of a JavaScript string, at most. */
const MAX_BYTES_PER_UNIT = 3;
const DURABILITIES: readonly unknown[] = [undefined, "process", "disk"];

/** Throws for a durability that does not exist, and when the caller has aborted already. */
export function checkWriteOptions({ durability, signal }: StoreWriteOptions): void {
  if (signal?.aborted) throw abortError(signal);
  if (DURABILITIES.includes(durability)) return;
  throw new ToolInputError('"durability" must be "process" or "disk".', {
    reason: "request_invalid",
  });
}

/** Any text but NUL and half characters: other databases than SQLite cannot store these. */
export function checkName(what: string, value: unknown): string {
  if (typeof value !== "string" || value === "") {
    throw nameInvalid(what, "must be a text that is not empty");
  }
  return checkText(what, value);
}

/** A name, or the beginning of one; the empty text fits all. */
export function checkPrefix(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value !== "string") throw nameInvalid("prefix", "must be a text");
  return checkText("prefix", value);
}

function checkText(what: string, value: string): string {
  const isShort = value.length * MAX_BYTES_PER_UNIT <= MAX_NAME_BYTES;
  if (!isShort && (value.length > MAX_NAME_BYTES || Buffer.byteLength(value) > MAX_NAME_BYTES)) {
    const shown = toPrintable(value, 40);
    throw nameInvalid(what, `"${shown}" is over ${MAX_NAME_BYTES} bytes; choose a shorter one`);
  }
  if (value.includes("\0") || hasLoneSurrogate(value)) {
    const shown = toPrintable(value, 40);
    throw nameInvalid(what, `"${shown}" holds a NUL or half a character; leave it out`);
  }
  return value;
}

interface NumberBounds {
  readonly min: number;
  readonly max: number;
}

function checkInteger(what: string, value: unknown, { min, max }: NumberBounds): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) {
    return value;
  }
  const received = typeof value === "number" ? `${value}` : typeof value;
  throw new ToolInputError(
    `"${what}" must be a whole number from ${min} to ${max}, not ${received}.`,
    { reason: "number_invalid" },
  );
}

/** Milliseconds from now on. */
export function checkSpan(what: string, value: unknown): number {
  return checkInteger(what, value, { min: 1, max: MAX_SPAN_MS });
}

export function checkDelay(value: unknown): number {
  return value === undefined ? 0 : checkInteger("delayMs", value, { min: 0, max: MAX_SPAN_MS });
}

/** A sequence number, revision or token; 0 means none. */
export function checkCount(what: string, value: unknown): number {
  return checkInteger(what, value, { min: 0, max: Number.MAX_SAFE_INTEGER });
}

export function checkLimit(
  value: unknown,
  { fallback, max }: { readonly fallback: number; readonly max: number },
): number {
  return value === undefined ? fallback : checkInteger("limit", value, { min: 1, max });
}

function nameInvalid(what: string, why: string): ToolInputError {
  return new ToolInputError(`"${what}" cannot be used as a name: ${why}.`, {
    reason: "name_invalid",
  });
}
