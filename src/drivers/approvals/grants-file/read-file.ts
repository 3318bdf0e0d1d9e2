// Reads the file of approvals within limits. A file that others could have written is not used.

import { type BigIntStats, constants, lstatSync } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { errnoOf } from "../../../lib/errno.js";

const MAX_FILE_BYTES = 4 * 1024 * 1024;
const OTHERS_MAY_WRITE = 0o022;
const ROOT_ID = 0;
const NO_FILE = "it is no regular file";
const LINK = "it is a symbolic link; put the file itself there";
/** Also when it became a pipe just now, nobody waits for a writer. */
const READ_AT_ONCE =
  constants.O_RDONLY |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0) |
  (constants.O_NOCTTY ?? 0);

export interface FileVersion {
  readonly device: bigint;
  readonly inode: bigint;
  readonly sizeBytes: bigint;
  readonly modifiedNs: bigint;
  readonly changedNs: bigint;
}

export type FileContent =
  | { readonly kind: "missing" }
  | { readonly kind: "unusable"; readonly problem: string }
  | { readonly kind: "text"; readonly text: string; readonly version: FileVersion };

export async function readApprovalsFile(path: string): Promise<FileContent> {
  let handle: FileHandle;
  try {
    // A device may do something when it is opened, and a pipe waits for a writer.
    const facts = await lstat(path);
    if (facts.isSymbolicLink()) return { kind: "unusable", problem: LINK };
    if (!facts.isFile()) return { kind: "unusable", problem: NO_FILE };
    handle = await open(path, READ_AT_ONCE);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return { kind: "missing" };
    return { kind: "unusable", problem: `it cannot be opened (${errnoOf(error)})` };
  }
  try {
    return await readOpened(handle);
  } finally {
    await handle.close();
  }
}

async function readOpened(handle: FileHandle): Promise<FileContent> {
  const facts = await handle.stat({ bigint: true });
  const problem = findProblem({
    isFile: facts.isFile(),
    mode: Number(facts.mode),
    ownerId: Number(facts.uid),
    sizeBytes: Number(facts.size),
  });
  if (problem !== undefined) return { kind: "unusable", problem };
  const bytes = await handle.readFile();
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { kind: "text", text, version: toVersion(facts) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { kind: "unusable", problem: "it is no UTF-8 text" };
  }
}

/**
 * Another one after every write, also of a program that keeps the file's size. Asked at once, because
 * every command waits for the answer, and by the way of the thread pool it waits longer.
 */
export function readVersion(path: string): FileVersion | "missing" | "unknown" {
  try {
    const facts = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return facts === undefined ? "missing" : toVersion(facts);
  } catch {
    // Whoever reads it next is told why.
    return "unknown";
  }
}

function toVersion({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): FileVersion {
  return { device: dev, inode: ino, sizeBytes: size, modifiedNs: mtimeNs, changedNs: ctimeNs };
}

interface FileFacts {
  readonly isFile: boolean;
  readonly mode: number;
  readonly ownerId: number;
  readonly sizeBytes: number;
}

function findProblem({ isFile, mode, ownerId, sizeBytes }: FileFacts): string | undefined {
  if (!isFile) return NO_FILE;
  if (sizeBytes > MAX_FILE_BYTES) return `it has more than ${MAX_FILE_BYTES} bytes`;
  const ownId = process.getuid?.();
  if (ownId === undefined) return undefined;
  if (ownerId !== ownId && ownerId !== ROOT_ID) return "it belongs to another user";
  if ((mode & OTHERS_MAY_WRITE) !== 0) return "others may write it; run chmod 600 on it";
  return undefined;
}
