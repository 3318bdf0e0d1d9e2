// Values of records as JSON text: only what comes back equal is taken, and its size is known before
// the text is made.

import { ToolError, ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { MAX_RECORD_BYTES, MAX_VALUE_DEPTH } from "../limits.js";

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
