// UTF-8 that may be damaged, or cut off in the middle of a character.

import { isAscii, isUtf8 } from "node:buffer";
import { countInvalid, markInvalid, REPLACEMENT } from "./not-text.js";

const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);
const NOT_ASCII = /[^\0-\x7f]/gu;

/** Without the last character of UTF-8 when more bytes would be needed for it. */
export function countWholeUtf8(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    // No character begins with such a byte.
    if (byte < 0xc2 || byte > 0xf4) break;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    // A first byte always begins a character, so that a cut before it changes nothing.
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

export function decodeUtf8(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  const pieces: string[] = [];
  let start = 0;
  while (start <= bytes.length) {
    const found = bytes.indexOf(REPLACEMENT_BYTES, start);
    const end = found === -1 ? bytes.length : found;
    pieces.push(markInvalid(bytes.toString("utf8", start, end)));
    if (found === -1) break;
    start = end + REPLACEMENT_BYTES.length;
  }
  return pieces.join(REPLACEMENT);
}

export interface Utf8Count {
  readonly chars: number;
  /** Places that are not UTF-8. */
  readonly invalid: number;
  readonly valid: number;
  /** Nothing is wrong but that the last character is cut off. */
  readonly isTail: boolean;
}

/** `isLast`: nothing follows the bytes. */
export function countUtf8({ bytes, isLast }: { bytes: Buffer; isLast: boolean }): Utf8Count {
  const whole = bytes.subarray(0, countWholeUtf8(bytes));
  if (isUtf8(whole)) {
    const isCut = isLast && whole.length < bytes.length;
    const isTail = !isCut || isCutUtf8(bytes, whole.length);
    return { chars: bytes.length, invalid: isCut ? 1 : 0, valid: isAscii(whole) ? 0 : 1, isTail };
  }
  const text = decodeUtf8(whole);
  const invalid = countInvalid(text);
  const valid = (text.match(NOT_ASCII)?.length ?? 0) - invalid;
  return { chars: text.length, invalid, valid, isTail: false };
}

function isCutUtf8(bytes: Buffer, wholeBytes: number): boolean {
  const before = bytes[wholeBytes - 1] ?? 0;
  const isLetterBefore = wholeBytes === 0 || (before >= 0x61 && before <= 0x7a);
  const isSmallAccent = (bytes[wholeBytes] ?? 0) >= 0xe0;
  return bytes.length - wholeBytes > 1 || !isLetterBefore || !isSmallAccent;
}
