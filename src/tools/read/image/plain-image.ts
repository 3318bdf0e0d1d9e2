// Whether a picture can be shown as it is when nothing is there to decode it: whole by its first and
// last bytes, small by its header, and with nothing that asks for a turn.

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

interface Reading {
  /** undefined when the header is not what it should be, or asks for more than to be shown. */
  readSize(bytes: Buffer): PixelSize | undefined;
  isWhole(bytes: Buffer): boolean;
}

const READINGS: Readonly<Record<string, Reading>> = {
  "image/png": {
    readSize: (bytes) =>
      bytes.length < 33 || bytes.includes("acTL")
        ? undefined
        : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) },
    isWhole: (bytes) => bytes.subarray(-8, -4).equals(Buffer.from("IEND")),
  },
  "image/gif": {
    readSize: (bytes) =>
      bytes.length < 13
        ? undefined
        : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) },
    isWhole: (bytes) => bytes.at(-1) === 0x3b,
  },
  "image/jpeg": {
    readSize: readJpegSize,
    isWhole: (bytes) => bytes.at(-2) === 0xff && bytes.at(-1) === 0xd9,
  },
};

/** undefined when it cannot be told, or when the picture is not whole. */
export function readPlainSize(bytes: Buffer, mimeType: string): PixelSize | undefined {
  const reading = READINGS[mimeType];
  return reading?.isWhole(bytes) ? reading.readSize(bytes) : undefined;
}

/** Walks the segments to the frame header; EXIF may ask for a turn, and is left to a decoder. */
function readJpegSize(bytes: Buffer): PixelSize | undefined {
  let start = 2;
  while (start + 9 <= bytes.length && bytes[start] === 0xff) {
    const marker = bytes[start + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      return { height: bytes.readUInt16BE(start + 5), width: bytes.readUInt16BE(start + 7) };
    }
    if (marker === 0xe1) return undefined;
    start += 2 + bytes.readUInt16BE(start + 2);
  }
  return undefined;
}
