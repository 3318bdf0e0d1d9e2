// Which encoding a file has, as far as `edit` can write it again. Valid UTF-8 is never guessed at.

import { isAscii, isUtf8 } from "node:buffer";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "gb18030";

const NUL_SAMPLE_BYTES = 8 * 1024;
const BLOCK_BYTES = 64 * 1024;
/** In UTF-16 the zero halves of Latin letters are on one side. */
const MIN_ZERO_RATIO = 4;
/** With fewer of them a text that is valid UTF-8 is UTF-8. */
const MIN_ZERO_SHARE = 0.25;
const MIN_COMMON_SHARE = 0.7;
const MAX_INVALID_SHARE = 0.1;
const MIN_CHINESE_CHARACTERS = 2;
/** With so many characters and none outside of the Korean ones, a text is Korean. */
const MIN_KOREAN_CHARACTERS = 12;
/** No word of the West has more accents in a row; these bytes windows-1252 leaves free. */
const NOT_WINDOWS_1252 = /[\x80-\xff]{9}|[\x81\x8d\x8f\x90\x9d]/;
const HIGH_BYTE = /[\x80-\xff]/g;
/** A character of several bytes in UTF-8; the text has one character a byte. */
const UTF8_CHARACTER =
  /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;
const GB18030_CHARACTER = /[\x81-\xfe](?:[\x40-\x7e\x80-\xfe]|[\x30-\x39][\x81-\xfe][\x30-\x39])/g;
const COMMON_CHINESE = /[\xa1-\xa3\xb0-\xd7][\xa1-\xfe]/;
const COMMON_KOREAN = /[\xb0-\xc8][\xa1-\xfe]/;

/** undefined when it is none of these, or no text. */
export function detectEncoding(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const isValid = isUtf8(bytes);
  const sample = bytes.subarray(0, NUL_SAMPLE_BYTES);
  const hasNul = sample.includes(0);
  const minZeros = isValid ? sample.length * MIN_ZERO_SHARE : 1;
  const wide = hasNul && bytes.length % 2 === 0 ? guessUtf16(sample, minZeros) : undefined;
  if (wide) return wide;
  if (isValid) return "utf-8";
  return hasNul ? undefined : guessLegacy(bytes);
}

function guessUtf16(sample: Buffer, minZeros: number): Encoding | undefined {
  let [even, odd] = [0, 0];
  for (const [index, byte] of sample.entries()) {
    if (byte === 0 && index % 2 === 0) even++;
    if (byte === 0 && index % 2 === 1) odd++;
  }
  const [most, least] = [Math.max(odd, even), Math.min(odd, even)];
  if (most < minZeros || most <= MIN_ZERO_RATIO * least) return undefined;
  return odd > even ? "utf-16le" : "utf-16be";
}

/** By the first block that is not plain ASCII, in which one character stands for each byte. */
function guessLegacy(bytes: Buffer): Encoding | undefined {
  const text = firstBlockBeyondAscii(bytes).toString("latin1");
  const valid = count(text, UTF8_CHARACTER);
  const invalid = count(text.replace(UTF8_CHARACTER, ""), HIGH_BYTE);
  if (valid >= invalid) return "utf-8";
  if (isChinese(text)) return "gb18030";
  if (!NOT_WINDOWS_1252.test(text)) return "windows-1252";
  return invalid <= text.length * MAX_INVALID_SHARE ? "utf-8" : undefined;
}

function firstBlockBeyondAscii(bytes: Buffer): Buffer {
  for (let start = 0; start < bytes.length; start += BLOCK_BYTES) {
    const block = bytes.subarray(start, start + BLOCK_BYTES);
    if (!isAscii(block)) return block;
  }
  return bytes;
}

function isChinese(text: string): boolean {
  const pairs = text.match(GB18030_CHARACTER) ?? [];
  const rest = text.replace(GB18030_CHARACTER, "").slice(0, -1);
  if (count(rest, HIGH_BYTE) > 0) return false;
  const common = pairs.filter((pair) => COMMON_CHINESE.test(pair)).length;
  const isKorean =
    pairs.length >= MIN_KOREAN_CHARACTERS && pairs.every((pair) => COMMON_KOREAN.test(pair));
  const isEnough = pairs.length >= MIN_CHINESE_CHARACTERS;
  return isEnough && !isKorean && common >= pairs.length * MIN_COMMON_SHARE;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
