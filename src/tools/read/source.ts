// The bytes of a file in parts, whether a bridge can open it or gives it only as a whole.

import { type FsFile, ToolError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";

export interface Part {
  /** Good until the next part is read. */
  readonly bytes: Buffer;
  /** Where in the file they begin. */
  readonly position: number;
  /** The file ends here. */
  readonly isLast: boolean;
}

export interface ByteSource {
  /** As known when it was opened; what is read may turn out shorter. */
  readonly size: number;
  read(position: number, maxBytes: number): Promise<Part>;
  close(): Promise<void>;
}

export function createBufferSource(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    async read(position, maxBytes) {
      const end = position + maxBytes;
      return { bytes: bytes.subarray(position, end), position, isLast: end >= bytes.length };
    },
    close: async () => undefined,
  };
}

/** `path` is for messages. */
export function createFileSource(file: FsFile, path: string): ByteSource {
  const { size } = file.stat;
  let buffer = Buffer.alloc(0);
  return {
    size,
    async read(position, maxBytes) {
      // Some systems say 0 for files whose content is made when it is read.
      const room = size === 0 ? maxBytes : Math.min(maxBytes, Math.max(0, size - position));
      if (room === 0) return { bytes: buffer.subarray(0, 0), position, isLast: true };
      if (buffer.length < room) buffer = Buffer.allocUnsafe(room);
      const bytes = buffer.subarray(
        0,
        await readInto({ file, path, position, into: buffer.subarray(0, room) }),
      );
      const isWhole = size > 0 && position + bytes.length >= size;
      return { bytes, position, isLast: isWhole || bytes.length < room };
    },
    close: () => file.close(),
  };
}

interface Reading {
  readonly file: FsFile;
  readonly path: string;
  readonly position: number;
  readonly into: Buffer;
}

async function readInto({ file, path, position, into }: Reading): Promise<number> {
  const count: unknown = await file.read(into, position);
  if (typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= into.length) {
    return count;
  }
  throw new ToolError(
    "failed",
    `The read of an opened file must give the number of bytes; for "${toPrintable(path)}" it gave ${toPrintable(String(count))}.`,
    { reason: "bridge_invalid" },
  );
}
