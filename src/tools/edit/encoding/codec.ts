// Bytes of an encoding as text, text as its bytes, and where in the file a place of the text is.

import { CHARACTER_LENGTHS, type CharacterLength } from "../../../lib/encoding/character-length.js";
import type { Encoding } from "../../../lib/encoding/encodings.js";
import { replaceInvalid } from "../../../lib/encoding/not-text.js";
import { createTextStream } from "../../../lib/encoding/text-stream.js";
import { encodeWindows1252 } from "../../../lib/encoding/windows-1252.js";
import { createDoubleByteEncoder } from "./double-byte-encoder.js";
import type { EncodeText } from "./gb18030.js";

export interface Codec {
  readonly encoding: Encoding;
  /** undefined when the text has a character that the encoding has not. */
  readonly encode: EncodeText;
  /** As `read` shows it: bytes that are no text are U+FFFD. The byte order mark stays. */
  decode(bytes: Buffer): string;
  /** Finds places of the text, asked for from left to right. */
  createPlaceFinder(bytes: Buffer): FindPlace;
}

/** From bytes of the text as UTF-8 to bytes of the file; undefined inside of a character. */
export type FindPlace = (textBytes: number) => number | undefined;

export function createCodec(encoding: Encoding): Codec {
  const decode = (bytes: Buffer) => {
    const stream = createTextStream(encoding);
    return replaceInvalid(stream.push(bytes) + stream.end());
  };
  const lengthAt = findLengths(encoding);
  return {
    encoding,
    decode,
    encode: createEncoder(encoding),
    createPlaceFinder: (bytes) => createPlaceFinder({ bytes, lengthAt, decode }),
  };
}

function createEncoder(encoding: Encoding): EncodeText {
  switch (encoding) {
    case "utf-8":
      return (text) => Buffer.from(text);
    case "utf-16le":
      return (text) => Buffer.from(text, "utf16le");
    case "utf-16be":
      return (text) => Buffer.from(text, "utf16le").swap16();
    case "windows-1252":
      return encodeWindows1252;
    default:
      return createDoubleByteEncoder(encoding);
  }
}

interface Characters {
  readonly bytes: Buffer;
  readonly lengthAt: CharacterLength;
  decode(bytes: Buffer): string;
}

/** Each character by itself, as no encoding here makes one depend on another. */
function createPlaceFinder({ bytes, lengthAt, decode }: Characters): FindPlace {
  const sizes = new Map<number, number>();
  const sizeOf = (start: number, end: number): number => {
    let key = end - start;
    for (let index = start; index < end; index++) key = key * 0x100 + (bytes[index] ?? 0);
    const known = sizes.get(key);
    if (known !== undefined) return known;
    const size = Buffer.byteLength(decode(bytes.subarray(start, end)));
    sizes.set(key, size);
    return size;
  };
  let [filePlace, textPlace] = [0, 0];
  return (wanted) => {
    while (textPlace < wanted && filePlace < bytes.length) {
      const end = filePlace + Math.max(1, lengthAt(bytes, filePlace));
      textPlace += sizeOf(filePlace, end);
      filePlace = end;
    }
    return textPlace === wanted ? filePlace : undefined;
  };
}

function findLengths(encoding: Encoding): CharacterLength {
  switch (encoding) {
    case "utf-16le":
      return (bytes, index) => lengthInUtf16(bytes, { index, high: 1 });
    case "utf-16be":
      return (bytes, index) => lengthInUtf16(bytes, { index, high: 0 });
    case "utf-8":
    case "windows-1252":
      return () => 1;
    default:
      return CHARACTER_LENGTHS[encoding];
  }
}

/** `high` is where in a pair of bytes the higher one is. */
function lengthInUtf16(
  bytes: Uint8Array,
  { index, high }: { index: number; high: number },
): number {
  if (index + 1 >= bytes.length) return 1;
  const isFirstHalf = ((bytes[index + high] ?? 0) & 0xfc) === 0xd8;
  const isSecondHalf = ((bytes[index + 2 + high] ?? 0) & 0xfc) === 0xdc;
  return isFirstHalf && isSecondHalf && index + 3 < bytes.length ? 4 : 2;
}
