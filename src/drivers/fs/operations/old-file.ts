// The file that a write is about to replace, for whoever wants to keep it: read it, or give it a second
// name. Writes go by rename, so its bytes stay as they are under that name.

import { linkSync } from "node:fs";
import { link, lstat, unlink } from "node:fs/promises";
import type { OldFile } from "../../../core/files/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { lazy } from "../../../lib/lazy.js";
import { isSameFile, type Pin } from "../pin.js";
import { readPinned } from "../read-pinned.js";
import { accessOf } from "../stat.js";
import type { WriteTarget } from "../write-target.js";

/** How systems and file systems say that this file gets no second name at that place. */
const NO_LINK = ["EXDEV", "EPERM", "EACCES", "EMLINK", "ENOTSUP", "ENOSYS", "EOPNOTSUPP"];

/** `path` is for messages. The pins of the target must stay open while it is used. */
export function toOldFile(target: WriteTarget, path: string): OldFile | undefined {
  const { file } = target;
  if (!file) return undefined;
  return {
    size: Number(file.stats.size),
    ...accessOf(file.stats),
    read: lazy(() => readPinned({ pin: file, path })),
    linkTo: (to) => linkPinned({ ...target, file }, to),
  };
}

async function linkPinned(
  { folder, name, file }: WriteTarget & { readonly file: Pin },
  to: string,
): ReturnType<OldFile["linkTo"]> {
  // Through its other name it may be written in place.
  if (file.stats.nlink !== 1n) return "refused";
  try {
    const from = `${folder.door}/${name}`;
    if (folder.isLocal) linkSync(from, to);
    else await link(from, to);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return "taken";
    if (NO_LINK.includes(errnoOf(error))) return "refused";
    throw error;
  }
  // The name may have come to mean another file since it was pinned.
  if (await hasSecondName(file, to)) return "linked";
  await unlink(to);
  return "refused";
}

async function hasSecondName(file: Pin, name: string): Promise<boolean> {
  const now = file.statNow();
  if (now) return now.nlink === 2n;
  return isSameFile(await lstat(name, { bigint: true }), file.stats);
}
