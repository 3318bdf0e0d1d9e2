// How many frames a PNG has: decoders take an animated one for its first frame and do not tell.

const SIGNATURE_BYTES = 8;
/** Length and type before the data of a chunk, checksum behind it. */
const CHUNK_HEAD_BYTES = 8;
const CHUNK_TAIL_BYTES = 4;

export function countPngFrames(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = SIGNATURE_BYTES;
  while (start + CHUNK_HEAD_BYTES + CHUNK_TAIL_BYTES <= bytes.length) {
    const type = String.fromCharCode(...bytes.subarray(start + 4, start + CHUNK_HEAD_BYTES));
    if (type === "acTL") return Math.max(1, view.getUint32(start + CHUNK_HEAD_BYTES));
    // The chunk that says so stands before the pixels.
    if (type === "IDAT") return 1;
    start += CHUNK_HEAD_BYTES + view.getUint32(start) + CHUNK_TAIL_BYTES;
  }
  return 1;
}
