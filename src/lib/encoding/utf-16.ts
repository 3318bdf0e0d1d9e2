// UTF-16: how likely bytes are such text, and in which order of bytes.

import { isUtf8 } from "node:buffer";
import { markInvalid, USUAL_CONTROLS } from "./not-text.js";

type Utf16 = "utf-16le" | "utf-16be";

/** Of what may be UTF-16 this many bytes are looked at. */
export const SAMPLE_BYTES = 8 * 1024;

const STRANGE = new RegExp(`[\\p{Cn}\\p{Co}\\p{Cs}]|[^\\P{Cc}${USUAL_CONTROLS}]`, "gu");
const PLAIN = /[\t\n\r -~]/g;
const MIN_ZERO_SHARE = 0.25;

/** Bytes in pieces; `end` gives what is left of them. */
export function createUtf16Decoder(encoding: Utf16): {
  push(bytes: Buffer): string;
  end(): string;
} {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return {
    push: (bytes) => markInvalid(decoder.decode(bytes, { stream: true })),
    end: () => markInvalid(decoder.decode()),
  };
}

/** The order of bytes in which there are the more spaces, line feeds and Latin letters. */
export function guessUtf16(bytes: Buffer): Utf16 | undefined {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = sample.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
  // Plain text with a NUL here and there, such as a list of names.
  if (isUtf8(sample) && zeros < sample.length * MIN_ZERO_SHARE) return undefined;
  const [first, second] = (["utf-16le", "utf-16be"] as const)
    .filter((encoding) => shareOfStrange(sample, encoding) === 0)
    .map((encoding) => ({ encoding, plain: countPlain(sample, encoding) }))
    .sort((left, right) => right.plain - left.plain);
  return first && first.plain > (second?.plain ?? 0) ? first.encoding : undefined;
}

export function shareOfStrange(bytes: Buffer, encoding: Utf16): number {
  const text = createUtf16Decoder(encoding).push(bytes);
  return text === "" ? 0 : (text.match(STRANGE)?.length ?? 0) / text.length;
}

function countPlain(bytes: Buffer, encoding: Utf16): number {
  return createUtf16Decoder(encoding).push(bytes).match(PLAIN)?.length ?? 0;
}

const SPECIAL =
  "\u20AC\x81\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\x8D\u017D\x8F" +
  "\x90\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\x9D\u017E\u0178";
const FIRST_SPECIAL = 0x80;
const SPECIAL_BYTES = /[\x80-\x9f]/g;
/** Bytes that are left free. */
const FREE = /[\x81\x8d\x8f\x90\x9d]/;
const ACCENTS = /[\x80-\xff]+/g;
const LONG_ROW = 9;
const MAX_SHARE_IN_LONG_ROWS = 0.1;

export function decodeWindows1252(bytes: Buffer): string {
  return bytes
    .toString("latin1")
    .replace(SPECIAL_BYTES, (letter) => SPECIAL.charAt(letter.charCodeAt(0) - FIRST_SPECIAL));
}

/** undefined when the text has a character that the encoding has not. */
export function encodeWindows1252(text: string): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(text.length);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const isSame = unit < FIRST_SPECIAL || (unit >= 0xa0 && unit <= 0xff);
    const special = isSame ? -1 : SPECIAL.indexOf(text.charAt(index));
    if (!isSame && special === -1) return undefined;
    bytes[index] = isSame ? unit : FIRST_SPECIAL + special;
  }
  return bytes;
}

/** Whether bytes that are not UTF-8 look like words of the West. */
export function isWindows1252(bytes: Buffer): boolean {
  const text = bytes.toString("latin1");
  if (FREE.test(text)) return false;
  const rows = (text.match(ACCENTS) ?? []).map((row) => row.length);
  const sum = (lengths: readonly number[]) => lengths.reduce((total, length) => total + length, 0);
  return sum(rows.filter((length) => length >= LONG_ROW)) <= sum(rows) * MAX_SHARE_IN_LONG_ROWS;
}
