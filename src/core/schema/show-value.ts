// How values and places are shown inside messages: short, on one line, nothing invisible.

import { toPrintable } from "../../lib/printable.js";
import { isRecord } from "./json-value.js";

export const MAX_SHOWN_CHARS = 60;
const MAX_PATH_CHARS = 200;
const MAX_SHOWN_KEYS = 5;
const PLAIN_NAME = /^[A-Za-z_$][A-Za-z0-9_$-]*$/;

/** At most 60 characters; a cut text ends in "…". */
export function showText(text: string): string {
  const room = MAX_SHOWN_CHARS - 2;
  // Cut before escaping: a text of many megabytes is not walked to its end.
  const head = escapeText(text.slice(0, room));
  if (text.length <= room && head.length <= room) return `"${head}"`;
  return `"${cutEscaped(head, room - 1)}…"`;
}

/** What was received: "ten", number 5, true, null, an array of 3 items, an object with keys a, b. */
export function showReceived(value: unknown): string {
  if (typeof value === "string") return showText(value);
  if (typeof value === "number") return `number ${value}`;
  if (Array.isArray(value)) return `an array of ${value.length} ${plural("item", value.length)}`;
  if (isRecord(value)) return showKeys(Object.keys(value));
  if (value === undefined) return "nothing";
  if (value === null || typeof value === "boolean") return String(value);
  return `a ${typeof value}`;
}

/** A value of a schema, such as one of an enum, as the model would write it. */
export function showLiteral(value: unknown): string {
  if (typeof value === "string") return showText(value);
  if (typeof value !== "object" || value === null) return String(value);
  const json = escapeText(JSON.stringify(value)).replaceAll('\\"', '"');
  return json.length <= MAX_SHOWN_CHARS ? json : `${json.slice(0, MAX_SHOWN_CHARS - 1)}…`;
}

/** `edits[0].oldText`; "" for the root. */
export function showPath(segments: readonly (string | number)[]): string {
  let path = "";
  for (const segment of segments) {
    path += showSegment(segment, path === "");
    if (path.length > MAX_PATH_CHARS) return `${path.slice(0, MAX_PATH_CHARS)}…`;
  }
  return path;
}

/** A JSON pointer without the leading "#"; "/" for the root. */
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

/** As inside a JSON string, and what JSON leaves unseen is escaped too. */
function escapeText(text: string): string {
  return toPrintable(JSON.stringify(text).slice(1, -1), Number.POSITIVE_INFINITY);
}

/** Never ends within an escape. */
function cutEscaped(text: string, room: number): string {
  return text.length <= room ? text : text.slice(0, room).replace(/\\(?:u[^\\]{0,7})?$/, "");
}
