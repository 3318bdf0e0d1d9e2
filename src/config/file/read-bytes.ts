// Reads a file whole, or says why not; the size limit holds before the bytes are read.

import { constants } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { errnoOf, isMissing } from "../../lib/errno.js";

export type ReadBytes =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "missing" }
  | { readonly kind: "unusable"; readonly why: string };

/** Never throws for what the file system answers. */
export async function readBytes(path: string, maxBytes: number): Promise<ReadBytes> {
  try {
    // Without O_NONBLOCK a named pipe would hold the open until someone writes to it.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return await readBounded(handle, maxBytes);
    } finally {
      await handle.close();
    }
  } catch (error) {
    return explain(error, path);
  }
}

/** Where the path leads when every link is followed; undefined when nothing can be reached there. */
export async function realPathOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

async function readBounded(handle: FileHandle, maxBytes: number): Promise<ReadBytes> {
  const stats = await handle.stat();
  if (!stats.isFile()) return { kind: "unusable", why: "is not a regular file" };
  const tooLarge = { kind: "unusable", why: `has more than ${maxBytes} bytes` } as const;
  if (stats.size > maxBytes) return tooLarge;
  // One byte more than allowed, so that a file that grows meanwhile is noticed.
  const buffer = Buffer.alloc(maxBytes + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  if (length > maxBytes) return tooLarge;
  return { kind: "bytes", bytes: buffer.subarray(0, length) };
}

/** A link that leads nowhere is there, and is not a missing file. */
async function explain(error: unknown, path: string): Promise<ReadBytes> {
  const code = readCode(error);
  if (!isMissing(error)) return { kind: "unusable", why: `cannot be read (${code})` };
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  return isThere ? { kind: "unusable", why: "is a link that leads nowhere" } : { kind: "missing" };
}

function readCode(error: unknown): string {
  return errnoOf(error) || "unknown error";
}
