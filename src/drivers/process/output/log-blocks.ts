// Bytes on their way to a log: gathered into blocks of a quarter of a mebibyte, which are used again
// once they are written.

const BLOCK_BYTES = 256 * 1024;
const FIRST_BYTES = 4 * 1024;
/** As many as may wait: a block that is thrown away stays in memory until the next collection. */
const MAX_SPARE_BLOCKS = 17;

export interface Block {
  /** Position of its first byte. */
  readonly start: number;
  readonly bytes: Buffer;
}

export interface LogBlocks {
  /** Position behind the last byte. */
  readonly end: number;
  /** Bytes that are here and not written. */
  readonly waitingBytes: number;
  append(bytes: Uint8Array): void;
  /** The oldest block, if it is full. */
  readonly full: Block | undefined;
  /** The oldest block, full or not, unless there is none. */
  readonly oldest: Block | undefined;
  /** The oldest block was written. */
  shift(): void;
  /** What is here between two positions, oldest first. */
  slice(from: number, to: number): Buffer;
  clear(): void;
}

export function createLogBlocks(): LogBlocks {
  const blocks: { start: number; buffer: Buffer; length: number }[] = [];
  const spare: Buffer[] = [];
  let end = 0;

  /** The first block of a run grows, because most outputs are small; later ones begin large. */
  function makeRoom(): { start: number; buffer: Buffer; length: number } {
    const last = blocks.at(-1);
    if (last && last.length < last.buffer.length) return last;
    if (last && last.buffer.length < BLOCK_BYTES) {
      const larger = Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, last.buffer.length * 4));
      last.buffer.copy(larger, 0, 0, last.length);
      last.buffer = larger;
      return last;
    }
    const size = end === 0 ? FIRST_BYTES : BLOCK_BYTES;
    const block = { start: end, buffer: spare.pop() ?? Buffer.allocUnsafeSlow(size), length: 0 };
    blocks.push(block);
    return block;
  }

  const view = ({ start, buffer, length }: { start: number; buffer: Buffer; length: number }) => ({
    start,
    bytes: buffer.subarray(0, length),
  });

  return {
    get end() {
      return end;
    },
    get waitingBytes() {
      return end - (blocks[0]?.start ?? end);
    },
    append(bytes) {
      let rest = bytes;
      while (rest.length > 0) {
        const block = makeRoom();
        const part = rest.subarray(0, block.buffer.length - block.length);
        block.buffer.set(part, block.length);
        block.length += part.length;
        end += part.length;
        rest = rest.subarray(part.length);
      }
    },
    get full() {
      const first = blocks[0];
      return first?.length === BLOCK_BYTES ? view(first) : undefined;
    },
    get oldest() {
      const first = blocks[0];
      return first ? view(first) : undefined;
    },
    shift() {
      const block = blocks.shift();
      const isReusable = block?.buffer.length === BLOCK_BYTES && spare.length < MAX_SPARE_BLOCKS;
      if (block && isReusable) spare.push(block.buffer);
    },
    slice(from, to) {
      const parts = blocks.map((block) =>
        view(block).bytes.subarray(Math.max(0, from - block.start), Math.max(0, to - block.start)),
      );
      return Buffer.concat(parts);
    },
    clear() {
      blocks.length = 0;
      spare.length = 0;
    },
  };
}
