// Bytes as text, piece by piece: the text is the same wherever the pieces are cut.

import { CHARACTER_LENGTHS, INVALID, UNFINISHED } from "./character-length.js";
import { type DoubleByteEncoding, type Encoding, INVALID_MARK, markInvalid } from "./not-text.js";
import { countWholeUtf8, decodeUtf8 } from "./utf-8.js";
import { createUtf16Decoder } from "./utf-16.js";
import { decodeWindows1252 } from "./windows-1252.js";

export interface TextStream {
  push(bytes: Buffer): string;
  end(): string;
}

export function createTextStream(encoding: Encoding): TextStream {
  switch (encoding) {
    case "utf-8":
      return carryOver({ decode: decodeUtf8, countWhole: countWholeUtf8 });
    case "utf-16le":
    case "utf-16be":
      return createUtf16Decoder(encoding);
    case "windows-1252":
      return { push: decodeWindows1252, end: () => "" };
    default:
      return carryOver(readDoubleByte(encoding));
  }
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
      return markInvalid(pieces.join(""));
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
