// The bytes of a pinned regular file.

import { closeSync, constants } from "node:fs";
import { isDirectory, notRegularFile } from "../../core/files/index.js";
import { ToolError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { pathChanged } from "./errors.js";
import { type OpenFile, read, statOpen } from "./operations/descriptor.js";
import { isSameFile, type Pin } from "./pin.js";

const MAX_FILE_BYTES = 1024 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const SPARE_BYTES = 64;

export interface PinnedFile {
  readonly pin: Pin;
  /** The caller's own words, for messages. */
  readonly path: string;
}

/** Throws unless a regular file is pinned. */
export function assertRegularFile({ pin, path }: PinnedFile): void {
  if (pin.stats.isFile()) return;
  throw pin.stats.isDirectory() ? isDirectory(path) : notRegularFile(path);
}

export async function readPinned(file: PinnedFile): Promise<Buffer> {
  const { pin, path } = file;
  assertRegularFile(file);
  const descriptor = await pin.open(constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const { isLocal, isHeld } = pin;
    const stats = isHeld ? pin.stats : await statOpen({ descriptor, isLocal });
    if (!isSameFile(stats, pin.stats) || !(await pin.confirm())) throw pathChanged(path);
    // The size may have changed, so it is read to the end.
    return await readToEnd({ descriptor, isLocal, expectedBytes: Number(stats.size), path });
  } finally {
    closeSync(descriptor);
  }
}

interface FileToRead extends OpenFile {
  readonly expectedBytes: number;
  readonly path: string;
}

async function readToEnd({ expectedBytes, path, ...file }: FileToRead): Promise<Buffer> {
  if (expectedBytes > MAX_FILE_BYTES) throw fileTooLarge(path);
  const chunks: Buffer[] = [];
  let total = 0;
  // The expected size and a little more, so that a file that grew shows itself.
  let room = expectedBytes + SPARE_BYTES;
  for (;;) {
    const buffer = Buffer.allocUnsafeSlow(room);
    const bytesRead = await read(file, { into: buffer, from: 0, position: null });
    chunks.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
    if (total > MAX_FILE_BYTES) throw fileTooLarge(path);
    const isWhole = bytesRead === 0 || (expectedBytes > 0 && total === expectedBytes);
    if (isWhole) return joinChunks(chunks);
    room = CHUNK_BYTES;
  }
}

function joinChunks(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first ? first : Buffer.concat(chunks);
}

function fileTooLarge(path: string): ToolError {
  return new ToolError(
    "limit",
    `"${toPrintable(path)}" is larger than ${MAX_FILE_BYTES} bytes, the most that is read at once; read a smaller file.`,
    { reason: "file_too_large", details: { maxBytes: MAX_FILE_BYTES } },
  );
}
