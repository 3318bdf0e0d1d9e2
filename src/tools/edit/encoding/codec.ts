// Bytes of an encoding as UTF-8 and back, such that what is not changed comes back byte for byte.

import type { Encoding } from "./detect.js";
import { createGb18030Encoder, decodeGb18030, type EncodeText } from "./gb18030.js";

/** What windows-1252 has from 0x80 to 0x9F; five bytes stay controls, as in the Encoding Standard. */
const C1_IN_WINDOWS_1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";
const C1 = /[\x80-\x9f]/g;

export interface Codec {
  readonly encoding: Encoding;
  /** The bytes of the file; undefined when the text has a character that the encoding has not. */
  readonly encode: EncodeText;
  decode(bytes: Buffer): string;
}

export function createCodec(encoding: Encoding): Codec {
  return { encoding, ...CODECS[encoding]() };
}

type Coding = Omit<Codec, "encoding">;

const CODECS = {
  "utf-8": () => ({
    decode: (bytes) => bytes.toString("utf8"),
    encode: (text) => Buffer.from(text),
  }),
  "utf-16le": () => ({
    decode: (bytes) => bytes.toString("utf16le"),
    encode: (text) => Buffer.from(text, "utf16le"),
  }),
  "utf-16be": () => ({
    decode: (bytes) => swapPairs(bytes).toString("utf16le"),
    encode: (text) => Buffer.from(text, "utf16le").swap16(),
  }),
  "windows-1252": createWindows1252,
  gb18030: () => ({ decode: decodeGb18030, encode: createGb18030Encoder() }),
} as const satisfies Record<Encoding, () => Coding>;

/** Of an odd number of bytes the last one is left out; the text then comes back shorter. */
function swapPairs(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
}

/** The platform's own decoder takes some of these bytes for controls. */
function createWindows1252(): Coding {
  const byteOf = new Map(
    [...C1_IN_WINDOWS_1252].map((character, index) => [character, 0x80 + index]),
  );
  return {
    decode: (bytes) =>
      bytes
        .toString("latin1")
        .replace(C1, (control) => C1_IN_WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80)),
    encode(text) {
      const bytes = Buffer.allocUnsafe(text.length);
      for (let index = 0; index < text.length; index++) {
        const unit = text.charCodeAt(index);
        const isSame = unit < 0x80 || (unit >= 0xa0 && unit <= 0xff);
        const byte = isSame ? unit : byteOf.get(text.charAt(index));
        if (byte === undefined) return undefined;
        bytes[index] = byte;
      }
      return bytes;
    },
  };
}
