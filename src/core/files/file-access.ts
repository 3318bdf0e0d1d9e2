// Permission bits and owner beside the port: a bridge over a disk tells and takes them, so that what
// undo makes again is open to nobody to whom it was closed before, and belongs to whom it belonged.
// Tools ask only to move a file by a copy, and to put one back.

import { readField } from "../../lib/read-field.js";
import type { FsBridge, FsFile, FsPath } from "../ports/fs-bridge.js";

const ALL_BITS = 0o777;
/** The greatest number says that there is none. */
const MAX_ID = 0xffff_fffe;

/** A field that is missing is not told, or left to the bridge. */
export interface FileAccess {
  /** Permission bits. */
  readonly mode?: number;
  readonly owner?: FileOwner;
}

export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

/** What such a bridge takes beyond the port; the owner where the process may give files away. */
export type WriteWithAccess = FsPath & { data: string | Buffer } & FileAccess;

/** What such a bridge gives for `openFile`. */
export type FileWithAccess = FsFile & Required<FileAccess>;

/** Of an opened file, of a write, or of what was stored. */
export function readAccess(from: unknown): FileAccess {
  const mode = readField(from, "mode");
  const owner = readOwner(readField(from, "owner"));
  return { ...(isWithin(mode, ALL_BITS) && { mode }), ...(owner && { owner }) };
}

/** Of a file, as a part of a write; nothing where the bridge does not tell it. */
export async function readAccessOf(bridge: FsBridge, path: FsPath): Promise<FileAccess> {
  const file = await bridge.openFile?.(path);
  if (!file) return {};
  try {
    return readAccess(file);
  } finally {
    await file.close();
  }
}

export function isSameAccess(one: FileAccess, other: FileAccess): boolean {
  const [mine, theirs] = [one.owner, other.owner];
  return one.mode === other.mode && mine?.uid === theirs?.uid && mine?.gid === theirs?.gid;
}

function readOwner(owner: unknown): FileOwner | undefined {
  const [uid, gid] = [readField(owner, "uid"), readField(owner, "gid")];
  return isWithin(uid, MAX_ID) && isWithin(gid, MAX_ID) ? { uid, gid } : undefined;
}

function isWithin(value: unknown, max: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= max;
}
