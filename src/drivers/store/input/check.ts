// Reads names, numbers and spans of a request; what does not fit is reported before anything is done.
import {
  abortError,
  type StoreWriteOptions,
  ToolError,
  ToolInputError,
} from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { hasLoneSurrogate } from "../../../lib/unicode-text.js";
import { MAX_NAME_BYTES, MAX_RECORD_BYTES, MAX_SPAN_MS, MAX_VALUE_DEPTH } from "../refusals.js";

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

const SHORTEST_VALUE_CHARS = 1;
const QUOTES_CHARS = 2;
const SHOWN_PATH_CHARS = 100;
const PLAIN_TYPES: readonly string[] = ["string", "number", "boolean"];

export interface EncodedValue {
  readonly text: string;
  readonly bytes: number;
}

export function encodeValue(value: unknown): EncodedValue {
  walk(value, { leftChars: MAX_RECORD_BYTES, path: ["value"] });
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_RECORD_BYTES) throw tooLarge();
  return { text, bytes };
}

interface Walk {
  /** What is left of the limit when each part counts the least it can take. */
  leftChars: number;
  readonly path: (string | number)[];
}

function walk(value: unknown, state: Walk): void {
  if (spendPlain(value, state)) return;
  if (typeof value !== "object" || value === null) {
    throw notJson(state, `a value of type ${typeof value} is not JSON`);
  }
  if (state.path.length > MAX_VALUE_DEPTH) {
    throw notJson(state, `it is nested deeper than ${MAX_VALUE_DEPTH}, or in a circle`);
  }
  if (Array.isArray(value)) walkArray(value, state);
  else walkObject(value, state);
}

/** Whether it is a value without parts. */
function spendPlain(value: unknown, state: Walk): boolean {
  spend(state, typeof value === "string" ? value.length + QUOTES_CHARS : SHORTEST_VALUE_CHARS);
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw notJson(state, `${value} is not a JSON number`);
  }
  return value === null || PLAIN_TYPES.includes(typeof value);
}

/** By index: a hole is not a value of JSON either. */
function walkArray(items: readonly unknown[], state: Walk): void {
  for (let index = 0; index < items.length; index++) walkPart(index, items[index], state);
}

function walkObject(value: object, state: Walk): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw notJson(state, "only plain objects and arrays come back as they were");
  }
  for (const key of Object.keys(value)) {
    const item: unknown = Reflect.get(value, key);
    if (item === undefined) continue;
    spend(state, key.length + QUOTES_CHARS);
    walkPart(key, item, state);
  }
}

function walkPart(key: string | number, item: unknown, state: Walk): void {
  state.path.push(key);
  walk(item, state);
  state.path.pop();
}

function spend(state: Walk, chars: number): void {
  state.leftChars -= chars;
  if (state.leftChars < 0) throw tooLarge();
}

function notJson({ path }: Walk, why: string): ToolInputError {
  const place = toPrintable(path.join("."), SHOWN_PATH_CHARS);
  return new ToolInputError(`"${place}" cannot be stored: ${why}.`, { reason: "value_not_json" });
}

function tooLarge(): ToolError {
  return new ToolError(
    "limit",
    `A record may take ${MAX_RECORD_BYTES} bytes as JSON, and this one is larger; store it in parts.`,
    { reason: "record_too_large" },
  );
}
