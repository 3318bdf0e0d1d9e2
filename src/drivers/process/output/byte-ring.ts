// The last bytes of a stream, in one buffer that is written round and round. It begins small,
// because most outputs are.

const FIRST_BYTES = 4 * 1024;

export interface ByteRing {
  /** Position in the stream of the first byte that is still here. */
  readonly start: number;
  /** Position behind the last one. */
  readonly end: number;
  append(bytes: Uint8Array): void;
  /** A copy of what is here between two positions. */
  slice(from: number, to: number): Buffer;
}

export function createByteRing(maxBytes: number): ByteRing {
  let buffer = Buffer.alloc(0);
  let end = 0;

  /** While it grows nothing has been written round, so positions stay what they are. */
  function makeRoom(wanted: number): void {
    if (wanted <= buffer.length || buffer.length === maxBytes) return;
    const size = Math.min(maxBytes, Math.max(FIRST_BYTES, buffer.length * 2, wanted));
    const larger = Buffer.allocUnsafeSlow(size);
    buffer.copy(larger, 0, 0, end);
    buffer = larger;
  }

  const start = () => Math.max(0, end - buffer.length);

  return {
    get start() {
      return start();
    },
    get end() {
      return end;
    },
    append(bytes) {
      makeRoom(end + bytes.length);
      const kept = bytes.subarray(Math.max(0, bytes.length - buffer.length));
      end += bytes.length - kept.length;
      const place = buffer.length === 0 ? 0 : end % buffer.length;
      const first = kept.subarray(0, buffer.length - place);
      buffer.set(first, place);
      buffer.set(kept.subarray(first.length), 0);
      end += kept.length;
    },
    slice(from, to) {
      const [first, last] = [Math.max(from, start()), Math.min(to, end)];
      if (last <= first) return Buffer.alloc(0);
      const [place, length] = [first % buffer.length, last - first];
      const part = buffer.subarray(place, place + length);
      return Buffer.concat([part, buffer.subarray(0, length - part.length)], length);
    },
  };
}
