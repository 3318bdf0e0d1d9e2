// Reads a small file that must really lie in its folder, with a size limit that holds before the
// bytes are read. What is in the file is left to the caller.

import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../lib/errno.js";
import { isBelow } from "../lib/is-below.js";

export type ContainedFile =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "outside"; readonly target: string }
  | { readonly kind: "not_a_file" }
  | { readonly kind: "too_large"; readonly bytes: number };

export interface ContainedFileRequest {
  /** A real path: links in it are already followed. */
  readonly folder: string;
  readonly name: string;
  readonly maxBytes: number;
}

/** Throws what the file system throws, but for a file that is not there. */
export async function readContainedFile(request: ContainedFileRequest): Promise<ContainedFile> {
  const target = await realPathOf(join(request.folder, request.name));
  if (target === undefined) return { kind: "missing" };
  if (!isBelow(target, request.folder)) return { kind: "outside", target };
  // Without O_NONBLOCK a named pipe would hold the open until somebody writes to it.
  const handle = await open(target, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return await readBounded(handle, request.maxBytes);
  } finally {
    await handle.close();
  }
}

/** Where the path leads when every link is followed; undefined when nothing is there. */
export async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function readBounded(handle: FileHandle, maxBytes: number): Promise<ContainedFile> {
  const stats = await handle.stat();
  if (!stats.isFile()) return { kind: "not_a_file" };
  if (stats.size > maxBytes) return { kind: "too_large", bytes: stats.size };
  // One byte more than allowed, so that a file that grows meanwhile is noticed.
  const buffer = Buffer.alloc(maxBytes + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  if (length > maxBytes) return { kind: "too_large", bytes: length };
  return { kind: "text", text: buffer.toString("utf8", 0, length) };
}
