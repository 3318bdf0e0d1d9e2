// Plain JSON values: telling them apart, copying, comparing, freezing, and showing them in messages.

import { toPrintable } from "../../lib/printable.js";

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An empty object for anything else. */
export function toRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

export function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** As JSON Schema names it, but for integers. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

export function isOfType(value: unknown, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "number") return Number.isFinite(value);
  return kindOf(value) === type;
}

export function copyJson(value: unknown, onNode?: () => void): unknown {
  onNode?.();
  if (Array.isArray(value)) return value.map((item) => copyJson(item ?? null, onNode));
  if (!isRecord(value)) return isJsonLeaf(value) ? value : null;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => isJsonLeaf(item) || typeof item === "object")
      .map(([key, item]) => [key, copyJson(item, onNode)]),
  );
}

export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => isSameJson(item, right[index]));
  }
  if (!isRecord(left) || !isRecord(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && isSameJson(left[key], right[key]));
}

export function withoutSameJson(values: readonly unknown[]): unknown[] {
  const leaves = new Set<unknown>();
  const others = new Map<unknown, unknown>();
  for (const value of values) {
    const key = toJsonKey(value);
    if (typeof value !== "object" || value === null) leaves.add(value);
    else if (!others.has(key)) others.set(key, value);
  }
  return [...leaves, ...others.values()];
}

export function toJsonKey(value: unknown): unknown {
  if (typeof value === "object" && value !== null) return toSortedJson(value);
  // Texts are marked, so that none equals the JSON of an object.
  return typeof value === "string" ? `"${value}` : value;
}

/**
 * JSON with the keys of objects in order; `edit` may replace values. Throws for what JSON cannot
 * write, except bigints.
 */
export function toSortedJson(
  value: unknown,
  edit: (name: string, value: unknown) => unknown = (_name, item) => item,
): string {
  return JSON.stringify(value, (name, item) => sortKeys(edit(name, item))) ?? "undefined";
}

function sortKeys(value: unknown): unknown {
  if (typeof value === "bigint") return { bigint: String(value) };
  if (!isRecord(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, value[name]]));
}

/** Freezes what can be frozen: of a view of bytes the engine freezes nothing. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const item of Object.values(value)) deepFreeze(item);
  return value;
}

function isJsonLeaf(value: unknown): boolean {
  return (
    value === null ||
    typeof value === "string" ||
    typeof value === "boolean" ||
    (typeof value === "number" && Number.isFinite(value))
  );
}

export const MAX_SHOWN_CHARS = 60;
const MAX_PATH_CHARS = 200;
const MAX_SHOWN_KEYS = 5;
export const CIRCULAR = "[Circular]";
const PLAIN_NAME = /^[A-Za-z_$][A-Za-z0-9_$-]*$/;

export function showText(text: string): string {
  const room = MAX_SHOWN_CHARS - 2;
  // Cut before escaping: a text of many megabytes is not walked to its end.
  const head = escapeText(text.slice(0, room));
  if (text.length <= room && head.length <= room) return `"${head}"`;
  return `"${cutEscaped(head, room - 1)}…"`;
}

export function showReceived(value: unknown): string {
  if (typeof value === "string") return showText(value);
  if (typeof value === "number") return `number ${value}`;
  if (Array.isArray(value)) return `an array of ${value.length} ${plural("item", value.length)}`;
  if (isRecord(value)) return showKeys(Object.keys(value));
  if (value === undefined) return "nothing";
  if (value === null || typeof value === "boolean") return String(value);
  return `a ${typeof value}`;
}

export function showLiteral(value: unknown): string {
  if (typeof value === "string") return showText(value);
  if (typeof value !== "object" || value === null) return String(value);
  const json = escapeText(JSON.stringify(value)).replaceAll('\\"', '"');
  return json.length <= MAX_SHOWN_CHARS ? json : `${json.slice(0, MAX_SHOWN_CHARS - 1)}…`;
}

export function showPath(segments: readonly (string | number)[]): string {
  let path = "";
  for (const segment of segments) {
    path += showSegment(segment, path === "");
    if (path.length > MAX_PATH_CHARS) return `${path.slice(0, MAX_PATH_CHARS)}…`;
  }
  return path;
}

export function showPointer(segments: readonly (string | number)[]): string {
  const pointer = segments
    .map((segment) => `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
  return escapeText(pointer.slice(0, MAX_PATH_CHARS)) || "/";
}

export function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`;
}

function showSegment(segment: string | number, first: boolean): string {
  if (typeof segment === "number") return `[${segment}]`;
  if (!PLAIN_NAME.test(segment) || segment.length > MAX_SHOWN_CHARS)
    return `[${showText(segment)}]`;
  return first ? segment : `.${segment}`;
}

function showKeys(keys: readonly string[]): string {
  if (keys.length === 0) return "an empty object";
  const names: string[] = [];
  for (const key of keys.slice(0, MAX_SHOWN_KEYS))
    names.push(PLAIN_NAME.test(key) ? key : showText(key));
  const list = names.join(", ");
  const rest = keys.length > MAX_SHOWN_KEYS ? ", …" : "";
  if (list.length > MAX_SHOWN_CHARS)
    return `an object with ${keys.length} ${plural("key", keys.length)}`;
  return `an object with ${plural("key", keys.length)} ${list}${rest}`;
}

function escapeText(text: string): string {
  return toPrintable(JSON.stringify(text).slice(1, -1), Number.POSITIVE_INFINITY);
}

/** Never ends within an escape. */
function cutEscaped(text: string, room: number): string {
  return text.length <= room ? text : text.slice(0, room).replace(/\\(?:u[^\\]{0,7})?$/, "");
}

/**
 * Copies lists and plain objects; other objects are kept. What is shared stays shared, and an object
 * inside itself becomes a marker.
 */
export function copyPlain(value: unknown, copies = new Map<object, unknown>()): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (copies.has(value)) return copies.get(value);
  // Until the copy is whole, a reference to the object is a cycle.
  copies.set(value, CIRCULAR);
  const copy = copyContainer(value, copies);
  copies.set(value, copy);
  return copy;
}

function copyContainer(value: object, copies: Map<object, unknown>): unknown {
  if (Array.isArray(value)) return Array.from(value, (item) => copyPlain(item, copies));
  if (!isPlainObject(value)) return value;
  // Unlike assignment, this keeps "__proto__" a mere key.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, copyPlain(item, copies)]),
  );
}

export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (typeof prototype !== "object" || prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null;
}
