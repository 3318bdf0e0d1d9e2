// What the system says of a file, in the words of the port.

import type { BigIntStats } from "node:fs";
import type { FileAccess } from "../../core/files/index.js";
import type { FsStat } from "../../core/index.js";

const MS_IN_NS = 1e6;
const PERMISSION_BITS = 0o777n;

export function toFsStat(stats: BigIntStats): FsStat {
  return {
    type: toFsType(stats),
    size: Number(stats.size),
    mtimeMs: Number(stats.mtimeNs) / MS_IN_NS,
  };
}

export function accessOf({ mode, uid, gid }: BigIntStats): Required<FileAccess> {
  const owner = { uid: Number(uid), gid: Number(gid) };
  return { mode: Number(mode & PERMISSION_BITS), owner };
}

/** Also of an entry of a folder. */
export function toFsType(kind: { isFile(): boolean; isDirectory(): boolean }): FsStat["type"] {
  if (kind.isFile()) return "file";
  return kind.isDirectory() ? "directory" : "other";
}
