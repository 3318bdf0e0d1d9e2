// Opens regular files only: follows no link and never blocks on a pipe or device.

import { closeSync, constants, openSync, readSync } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { errnoOf } from "../errno.js";

const READ_AT_ONCE =
  constants.O_RDONLY |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0) |
  (constants.O_NOCTTY ?? 0);

/** For reading; undefined when something else than a file is there. Rejects when nothing is. */
export async function openPlainFile(path: string): Promise<FileHandle | undefined> {
  // A device may do something when it is opened.
  if (!(await lstat(path)).isFile()) return undefined;
  let handle: FileHandle;
  try {
    handle = await open(path, READ_AT_ONCE);
  } catch (error) {
    if (errnoOf(error) === "ELOOP") return undefined;
    throw error;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  return undefined;
}

/** Its content; undefined when it is not a plain file or larger than that. Rejects when nothing is there. */
export async function readPlainFile(path: string, maxBytes: number): Promise<Buffer | undefined> {
  const handle = await openPlainFile(path);
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    return size > maxBytes ? undefined : await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** One character for each byte. Throws the system's error. */
export function readHead(path: string, maxBytes: number): string {
  const bytes = Buffer.alloc(maxBytes);
  const descriptor = openSync(path, "r");
  try {
    return bytes.toString("latin1", 0, readSync(descriptor, bytes, 0, maxBytes, 0));
  } finally {
    closeSync(descriptor);
  }
}
