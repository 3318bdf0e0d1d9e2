// Reads one field of an act, leniently where its meaning is clear.

import { ToolInputError } from "../../../core/index.js";
import { nearestName } from "../../../lib/nearest-name.js";
import { toPrintable } from "../../../lib/printable.js";

const REF = /^(?:\[?(?:aria-)?ref(?:\s*[=:]\s*|\s+)|@|#(?=e))?"?(e?\d+)"?\]?$/i;
/** `[e2]`, `'e2'`, `(e2)`, `e2.` */
const WRAPPED = /^[[('"`<{]*(.*?)[\])'"`>}.,;:]*$/s;
const WORD_REF = /(?<![\w-])e\d+(?![\w-])/gi;
const LINE_REF = /\[ref=(e\d+)\]/gi;
/** `e2 textbox`, `e2: Email`. */
const LED_BY_REF = /^\[?(e\d+)\]?[\s:,]+\S/i;
const MAX_SHOWN_CHARS = 60;
const TRUE_WORDS: readonly unknown[] = [true, 1, "1", "true", "yes", "on"];
const FALSE_WORDS: readonly unknown[] = [false, 0, "0", "false", "no", "off"];

/** Also reads `@e12`, `[ref=e12]`, `12`, and a line that names one ref. */
export function readRef(value: unknown, name: string): string {
  const [only, ...others] = readList(value);
  const text = typeof only === "number" ? String(only) : only;
  const found = typeof text === "string" && others.length === 0 ? findRef(text.trim()) : undefined;
  if (found === undefined) throw noRef(value, name);
  return /^\d+$/.test(found) ? `e${found}` : found.toLowerCase();
}

export function readOptionalRef(value: string | undefined, name: string): string | undefined {
  return value === undefined ? undefined : readRef(value, name);
}

function findRef(text: string): string | undefined {
  const [, inner = ""] = WRAPPED.exec(text) ?? [];
  const [, plain] = REF.exec(text) ?? REF.exec(inner) ?? [];
  if (plain !== undefined) return plain;
  const words = new Set(Array.from(text.matchAll(WORD_REF), ([word]) => word.toLowerCase()));
  const [, leading] = LED_BY_REF.exec(text) ?? [];
  if (leading !== undefined) return words.size === 1 ? leading : undefined;
  const named = new Set(Array.from(text.matchAll(LINE_REF), ([, ref]) => ref));
  const [only] = named;
  return named.size === 1 ? only : undefined;
}

export function readText(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw wrong({ name, wanted: "text", value });
}

export function readNumber(value: unknown, name: string): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && Number.isFinite(number)) return number;
  throw wrong({ name, wanted: "a number", value });
}

export function readFlag(value: unknown, name: string): boolean {
  const word = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (TRUE_WORDS.includes(word)) return true;
  if (FALSE_WORDS.includes(word)) return false;
  throw wrong({ name, wanted: "true or false", value });
}

/** A single value is a list of one; JSON text is parsed. */
export function readList(value: unknown): readonly unknown[] {
  const read = typeof value === "string" ? (parseJson(value, "[") ?? value) : value;
  return Array.isArray(read) ? read : [read];
}

export function readRecord(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const read = typeof value === "string" ? parseJson(value, "{") : value;
  if (isRecord(read)) return read;
  throw wrong({ name, wanted: "an object", value });
}

export function readWord<const Word extends string>(
  value: unknown,
  { name, words }: { readonly name: string; readonly words: readonly Word[] },
): Word {
  const found = words.find((word) => word.toLowerCase() === String(value).trim().toLowerCase());
  if (found !== undefined) return found;
  const nearest = nearestName(String(value), words);
  const hint = nearest === undefined ? "" : ` (nearest: ${nearest})`;
  throw wrong({ name, wanted: `one of ${words.join(", ")}${hint}`, value });
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const REF_HINT = " A snapshot gives refs such as e12; with query it finds elements by their words.";

export function invalid(
  message: string,
  details?: Readonly<Record<string, unknown>>,
): ToolInputError {
  return new ToolInputError(message, {
    reason: "arguments_invalid",
    ...(details && { details }),
  });
}

export function missing(name: string, kind: string): ToolInputError {
  const hint = name === "ref" ? REF_HINT : "";
  return invalid(`${kind} needs ${name}.${hint}`, { missing: name });
}

function parseJson(text: string, opening: string): unknown {
  if (!text.trimStart().startsWith(opening)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Plain text.
    return undefined;
  }
}

function wrong(slip: { name: string; wanted: string; value: unknown }): ToolInputError {
  const { name, wanted, value } = slip;
  return invalid(`${name} must be ${wanted}; received ${show(value)}.`, { parameter: name });
}

function noRef(value: unknown, name: string): ToolInputError {
  const message = `${name} must be a ref from snapshot, such as e12; received ${show(value)}. Find the element with snapshot and query; CSS is only for selector, element and frame.`;
  return new ToolInputError(message, { reason: "ref_invalid", details: { parameter: name } });
}

function show(value: unknown): string {
  const text =
    typeof value === "string" ? JSON.stringify(value) : (JSON.stringify(value) ?? "nothing");
  return toPrintable(text, MAX_SHOWN_CHARS);
}
