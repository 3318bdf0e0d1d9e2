// The encodings that text is read from, and the mark for bytes that are not a character.

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | DoubleByteEncoding;

export type DoubleByteEncoding = "gb18030" | "big5" | "shift_jis" | "euc-jp" | "euc-kr";

/** Marks bytes that are not text, until the text is shown. */
export const INVALID_MARK = "\uDC80";
export const REPLACEMENT = "\uFFFD";

/** Backspace to return, the end of file of old systems, escape; for a class of a pattern. */
export const USUAL_CONTROLS = `\\b-\\r${String.fromCharCode(0x1a, 0x1b)}`;

/** With a larger share of invalid bytes, a file is not text. */
export const MAX_INVALID_SHARE = 0.1;
const INVALID_PLACES = /\uDC80/gu;

export function countInvalid(text: string): number {
  // Most texts have none, and looking for one letter is quick.
  return text.includes(INVALID_MARK) ? (text.match(INVALID_PLACES)?.length ?? 0) : 0;
}

export function replaceInvalid(text: string): string {
  return text.includes(INVALID_MARK) ? text.replace(INVALID_PLACES, REPLACEMENT) : text;
}

/** What a decoder gave for bytes that are not text, marked. */
export function markInvalid(decoded: string): string {
  return decoded.replaceAll(REPLACEMENT, INVALID_MARK);
}
