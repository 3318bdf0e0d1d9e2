// The names in a pinned folder. Files that a write is just filling are no part of it.

import type { Dir, Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { abortError, type FsEntry } from "../../../core/index.js";
import { errnoOf, isMissing } from "../../../lib/errno.js";
import { whenFilesFree } from "../../../lib/open-files.js";
import { pathChanged } from "../errors.js";
import type { Pin, PinPath } from "../pin.js";
import { toFsType } from "../stat.js";
import { parseTemporaryName } from "../temporaries/temporary-owner.js";

const MAX_ENTRIES_AT_ONCE = 256;

export interface FolderToList {
  readonly folder: Pin;
  /** The caller's own words, for messages. */
  readonly path: string;
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
  readonly pinPath: PinPath;
  /** Whether a real path lies inside the root. */
  isInside(realPath: string): boolean;
}

export async function listPinned(request: FolderToList): Promise<FsEntry[]> {
  const { folder, path, limit, signal } = request;
  const entries: FsEntry[] = [];
  if (limit === 0) return entries;
  const bufferSize = Math.min(limit, MAX_ENTRIES_AT_ONCE);
  for await (const found of await openFolder(`${folder.door}/.`, bufferSize)) {
    if (signal?.aborted) throw abortError(signal);
    if (parseTemporaryName(found.name)) continue;
    entries.push({ name: found.name, type: await typeOf(found, request) });
    if (entries.length === limit) break;
  }
  if (!(await folder.confirm())) throw pathChanged(path);
  return entries;
}

function openFolder(path: string, bufferSize: number): Promise<Dir> {
  return whenFilesFree(() => opendir(path, { bufferSize }));
}

/** A link counts as what it leads to, and as "other" when that is nothing or lies outside. */
async function typeOf(found: Dirent, request: FolderToList): Promise<FsEntry["type"]> {
  if (!found.isSymbolicLink()) return toFsType(found);
  try {
    const pin = await request.pinPath(`${request.folder.door}/${found.name}`);
    try {
      return request.isInside(pin.realPath) ? toFsType(pin.stats) : "other";
    } finally {
      pin.close();
    }
  } catch (error) {
    if (isMissing(error) || ["ELOOP", "EACCES"].includes(errnoOf(error))) return "other";
    throw error;
  }
}
