// What the file system answers, as errors that name the caller's path and say what to do.
// The host's own spelling of paths stays in `cause`.

import type { BigIntStats } from "node:fs";
import { readlink } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type FileAccess,
  fileMissing,
  fileOnTheWay,
  isDirectory,
  outsideRoot,
  pathInvalid,
} from "../../core/files/index.js";
import { type FsStat, isToolError, ToolError } from "../../core/index.js";
import { errnoOf, isMissing } from "../../lib/errno.js";
import { toPrintable } from "../../lib/printable.js";
import type { Pin } from "./pin.js";
import type { Root, Target } from "./root.js";

const MAX_NAME_BYTES = 255;

const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full; free some space and try again",
  EDQUOT: "the disk quota is used up; free some space and try again",
  EACCES:
    "this process may not access it, or not change its folder; change the permissions or choose another path",
  EPERM: "the system does not permit it; change its permissions or choose another path",
  EROFS: "the file system is read-only; choose another path",
  EMFILE: "this process has too many files open; try again with fewer calls at once",
  ENFILE: "the system has too many files open; try again later",
  EIO: "the disk reported an error; check the device",
  EBUSY: "it is in use; try again later",
  EXDEV: "the two paths lie on different file systems; write a copy and remove the first",
};

export function rootReplaced(): ToolError {
  return new ToolError(
    "failed",
    "The root folder was moved, removed or replaced since its first use; make a new bridge.",
    { reason: "root_replaced" },
  );
}

export function pathChanged(path: string): ToolError {
  return new ToolError("conflict", `"${toPrintable(path)}" kept changing meanwhile; try again.`, {
    reason: "path_changed",
  });
}

export function fileBusy(path: string, waitedMs: number): ToolError {
  return new ToolError(
    "timeout",
    `"${toPrintable(path)}" is in use by another call that did not end within ${waitedMs} ms; try again later.`,
    { reason: "file_busy", details: { waitedMs } },
  );
}

function describeLength(path: string): string {
  const hasLongName = path.split("/").some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES);
  return hasLongName ? "a name in it is too long" : "it is too long for this system";
}

/** Errors of ours pass unchanged. */
export function toFsError(error: unknown, path: string): unknown {
  if (isToolError(error)) return error;
  const errno = errnoOf(error);
  if (errno === "") return error;
  if (errno === "ENOENT") return fileMissing(path, error);
  if (errno === "EISDIR") return isDirectory(path, error);
  if (errno === "ENOTDIR") return fileOnTheWay(path);
  if (errno === "ENAMETOOLONG") return pathInvalid(path, describeLength(path));
  if (errno === "ELOOP") return pathInvalid(path, "its links lead in a circle");
  const advice = ADVICE[errno] ?? "the system refused; check the path and try again";
  return new ToolError("failed", `"${toPrintable(path)}" failed with ${errno}: ${advice}.`, {
    reason: errno.toLowerCase(),
    cause: error,
    details: { errno },
  });
}

const MAX_LINKS = 40;

/** Throws when the way to a missing path leaves the root, by a folder link or a broken link. */
export async function assertMissingInside(root: Root, target: Target): Promise<void> {
  let relative = target.relative;
  for (let links = 0; links < MAX_LINKS; links++) {
    const next = await followBrokenLink(root, { ...target, relative });
    if (next === undefined) return;
    relative = next;
  }
}

async function followBrokenLink(root: Root, target: Target): Promise<string | undefined> {
  const { folder, names } = await pinNearestFolder(root, target);
  try {
    const [first = "", ...rest] = names;
    const text = await readLinkText(`${folder.door}/${first}`);
    if (text === undefined) return undefined;
    const way = root.wayTo(resolve(folder.realPath, text, ...rest));
    if (way === undefined) throw outsideRoot(target.path);
    return way;
  } finally {
    folder.close();
  }
}

/** The deepest thing on the way that exists, and the names that are left below it. */
export async function pinNearestFolder(
  root: Root,
  target: Target,
): Promise<{ folder: Pin; names: string[] }> {
  const names = target.relative.split("/");
  for (let depth = names.length - 1; depth >= 0; depth--) {
    const relative = names.slice(0, depth).join("/");
    try {
      const folder = await root.pinInside({ ...target, relative, namesFolder: false });
      return { folder, names: names.slice(depth) };
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  throw rootReplaced();
}

export async function readLinkText(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    // EINVAL: something is there that is not a link. UNKNOWN is how Windows says it.
    if (isMissing(error) || ["EINVAL", "UNKNOWN"].includes(errnoOf(error))) return undefined;
    throw error;
  }
}

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

export function toFsType(kind: { isFile(): boolean; isDirectory(): boolean }): FsStat["type"] {
  if (kind.isFile()) return "file";
  return kind.isDirectory() ? "directory" : "other";
}
