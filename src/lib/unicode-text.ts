// Borders inside Unicode text: the mark at its beginning, halves of characters, cuts between
// characters.

import { lazy } from "./lazy.js";

const MARKS: readonly (readonly [RegExp, string])[] = [
  [/[\u2018-\u201B]/g, "'"],
  [/[\u201C-\u201F]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, " "],
];

const BYTE_ORDER_MARK = "\uFEFF";
const LONE_SURROGATE = /\p{Surrogate}/u;
const UTF8_CONTINUATION_MASK = 0xc0;
const UTF8_CONTINUATION = 0x80;

export function splitByteOrderMark(text: string): { mark: string; body: string } {
  return text.startsWith(BYTE_ORDER_MARK)
    ? { mark: BYTE_ORDER_MARK, body: text.slice(1) }
    : { mark: "", body: text };
}

/** Half of a surrogate pair: a character that UTF-8 cannot say. */
export function hasLoneSurrogate(text: string): boolean {
  return LONE_SURROGATE.test(text);
}

export function cutChars(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return text.slice(0, Math.max(0, maxChars)).replace(/[\uD800-\uDBFF]$/, "");
}

export function cutText(text: string, limits: { maxChars: number; maxBytes: number }): string {
  const { maxChars, maxBytes } = limits;
  const whole = cutChars(text, Math.min(maxChars, maxBytes));
  if (Buffer.byteLength(whole) <= maxBytes) return whole;
  const bytes = Buffer.from(whole);
  let end = Math.max(0, maxBytes);
  while (end > 0 && isContinuation(bytes[end])) end--;
  return bytes.toString("utf8", 0, end);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & UTF8_CONTINUATION_MASK) === UTF8_CONTINUATION;
}

export function toPlainMarks(text: string): string {
  return MARKS.reduce((plain, [pattern, mark]) => plain.replace(pattern, mark), text);
}

const DEFAULT_MAX_CHARS = 300;
const LAST_ASCII = 0x7f;
const UNSEEN = lazy(() => /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}]|[^\P{Cf}\u200C\u200D]/gu);

export function toPrintable(text: string, maxChars = DEFAULT_MAX_CHARS): string {
  if (text.length <= maxChars) return text.replace(UNSEEN(), toEscape);
  return `${cutChars(text, maxChars).replace(UNSEEN(), toEscape)}…`;
}

export function nameFirstCodePoint(text: string): string {
  const point = text.codePointAt(0);
  return point === undefined ? "" : `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}

export function mayLookAlike(texts: readonly string[]): boolean {
  return texts.some((text) => (text.codePointAt(0) ?? 0) > LAST_ASCII);
}

function toEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `\\u{${code.toString(16).toUpperCase().padStart(4, "0")}}`;
}

const SIGN = "@";

export async function withoutMention(
  name: string,
  exists: (name: string) => Promise<boolean>,
): Promise<string> {
  if (!name.startsWith(SIGN) || name.length === SIGN.length) return name;
  if (await exists(name)) return name;
  const bare = name.slice(SIGN.length);
  return (await exists(bare)) ? bare : name;
}
