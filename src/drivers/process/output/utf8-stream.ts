// UTF-8 that comes in pieces: a character that is cut by the end of a piece waits for the next one.

/** A sequence is at most four bytes long, so three can be missing their end. */
const MAX_OPEN_BYTES = 3;

export interface Utf8Stream {
  /** No character is half read. */
  readonly isWhole: boolean;
  decode(bytes: Uint8Array): string;
  /** What was left half read, as a replacement character. */
  end(): string;
}

export function createUtf8Stream(): Utf8Stream {
  let open = Buffer.alloc(0);

  return {
    get isWhole() {
      return open.length === 0;
    },
    decode(bytes) {
      const joined = open.length === 0 ? toBuffer(bytes) : Buffer.concat([open, bytes]);
      const end = joined.length - countOpenBytes(joined);
      // A copy: the caller uses its buffer again.
      open = Buffer.from(joined.subarray(end));
      return joined.toString("utf8", 0, end);
    },
    end() {
      const text = open.toString("utf8");
      open = Buffer.alloc(0);
      return text;
    },
  };
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Bytes at the end that begin a character and do not finish it. */
function countOpenBytes(bytes: Buffer): number {
  const most = Math.min(MAX_OPEN_BYTES, bytes.length);
  for (let count = 1; count <= most; count++) {
    const byte = bytes[bytes.length - count] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return sequenceLength(byte) > count ? count : 0;
  }
  return 0;
}

function sequenceLength(firstByte: number): number {
  if (firstByte >= 0xf5) return 1;
  if (firstByte >= 0xf0) return 4;
  return firstByte >= 0xe0 ? 3 : 2;
}
