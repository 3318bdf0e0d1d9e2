// Bytes as text, piece by piece: the text is the same wherever the pieces are cut.

import { isUtf8 } from "node:buffer";
import {
  CHARACTER_LENGTHS,
  type DoubleByteEncoding,
  type Encoding,
  INVALID,
  UNFINISHED,
} from "./encoding.js";

export interface TextStream {
  /** What is not whole yet comes with the next bytes. */
  push(bytes: Buffer): string;
  /** What is left when no more bytes come. */
  end(): string;
}

/**
 * Stands for bytes that are no text, until the text is shown: half of a surrogate pair, which no
 * decoder gives, so that a U+FFFD of the file itself is not taken for one.
 */
const INVALID_MARK = "\uDC80";

/** As a pattern of whole characters it does not find the halves of real pairs. */
const INVALID_PLACES = /\uDC80/gu;

const REPLACEMENT = "\uFFFD";
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);
/** What windows-1252 has at 0x80 to 0x9F; as in the Encoding Standard, five stay controls. */
const WINDOWS_1252 =
  "\u20AC\x81\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\x8D\u017D\x8F" +
  "\x90\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\x9D\u017E\u0178";
const WINDOWS_1252_START = 0x80;

export function createTextStream(encoding: Encoding): TextStream {
  switch (encoding) {
    case "utf-8":
      return carryOver({ decode: decodeUtf8, countWhole: countWholeUtf8 });
    case "utf-16le":
    case "utf-16be":
      return createUtf16Stream(encoding);
    case "windows-1252":
      return { push: decodeWindows1252, end: () => "" };
    default:
      return carryOver(readDoubleByte(encoding));
  }
}

export function countInvalid(text: string): number {
  // Most texts have none, and looking for one letter is quick.
  return text.includes(INVALID_MARK) ? (text.match(INVALID_PLACES)?.length ?? 0) : 0;
}

/** For showing: what is no text stands as U+FFFD. */
export function replaceInvalid(text: string): string {
  return text.includes(INVALID_MARK) ? text.replace(INVALID_PLACES, REPLACEMENT) : text;
}

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

interface Decoding {
  decode(bytes: Buffer): string;
  /** How many bytes can be decoded before what comes next is known. */
  countWhole(bytes: Buffer): number;
}

function carryOver({ decode, countWhole }: Decoding): TextStream {
  let rest: Buffer = Buffer.alloc(0);
  return {
    push(bytes) {
      const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      const whole = countWhole(all);
      // A copy, because the caller may use the buffer again.
      rest = Buffer.from(all.subarray(whole));
      return decode(all.subarray(0, whole));
    },
    end() {
      const left = rest;
      rest = Buffer.alloc(0);
      return decode(left);
    },
  };
}

function decodeUtf8(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  const pieces: string[] = [];
  let start = 0;
  while (start <= bytes.length) {
    const found = bytes.indexOf(REPLACEMENT_BYTES, start);
    const end = found === -1 ? bytes.length : found;
    pieces.push(bytes.toString("utf8", start, end).replaceAll(REPLACEMENT, INVALID_MARK));
    if (found === -1) break;
    start = end + REPLACEMENT_BYTES.length;
  }
  return pieces.join(REPLACEMENT);
}

function decodeWindows1252(bytes: Buffer): string {
  return bytes
    .toString("latin1")
    .replace(
      /[\x80-\x9f]/g,
      (letter) => WINDOWS_1252[letter.charCodeAt(0) - WINDOWS_1252_START] ?? letter,
    );
}

function createUtf16Stream(encoding: "utf-16le" | "utf-16be"): TextStream {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  const mark = (text: string) => text.replaceAll(REPLACEMENT, INVALID_MARK);
  return {
    push: (bytes) => mark(decoder.decode(bytes, { stream: true })),
    end: () => mark(decoder.decode()),
  };
}

/** Only whole characters are given to the decoder, which has faults of its own with others. */
function readDoubleByte(encoding: DoubleByteEncoding): Decoding {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  const lengthAt = CHARACTER_LENGTHS[encoding];
  return {
    decode(bytes) {
      const pieces: string[] = [];
      let start = 0;
      let index = 0;
      while (index < bytes.length) {
        const length = lengthAt(bytes, index);
        if (length > INVALID) {
          index += length;
          continue;
        }
        pieces.push(decoder.decode(bytes.subarray(start, index)), INVALID_MARK);
        start = ++index;
      }
      pieces.push(decoder.decode(bytes.subarray(start)));
      return pieces.join("").replaceAll(REPLACEMENT, INVALID_MARK);
    },
    countWhole(bytes) {
      let index = 0;
      while (index < bytes.length) {
        const length = lengthAt(bytes, index);
        if (length === UNFINISHED) return index;
        index += Math.max(1, length);
      }
      return bytes.length;
    },
  };
}
