// Where a write goes: the pinned folder, the name in it, and the file that is replaced. A link is
// followed to the file it names, so that the link stays a link.

import { type BigIntStats, constants } from "node:fs";
import { access, lstat } from "node:fs/promises";
import { basename, dirname, posix } from "node:path";
import { isDirectory, isMissing, notRegularFile, pathChanged } from "./errors.js";
import { makeFolders } from "./make-folders.js";
import { readLinkText } from "./missing.js";
import { isSameFile, type Pin } from "./pin.js";
import { assertRegularFile } from "./read-pinned.js";
import { pinExisting, type Root, type Target } from "./root.js";

/** How often the path may change under a write before it gives up. */
const MAX_TRIES = 10;
/** Endings and characters by which the kernel's spelling of a path may not be the real name. */
const UNSURE_NAME = /\uFFFD| \(deleted\)$/;

export interface WriteTarget {
  /** The caller closes it. */
  readonly folder: Pin;
  readonly name: string;
  readonly existing: BigIntStats | undefined;
}

export async function pinWriteTarget(root: Root, target: Target): Promise<WriteTarget> {
  if (target.namesFolder || target.relative === "") throw isDirectory(target.path);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const existing = await pinExisting(root, target);
    if (!existing) return pinNewFile(root, target);
    try {
      const place = await pinFolderOf(existing, { root, target });
      if (place) return place;
    } finally {
      existing.close();
    }
  }
  throw pathChanged(target.path);
}

async function pinNewFile(root: Root, target: Target): Promise<WriteTarget> {
  const parent = posix.dirname(target.relative);
  const relative = parent === "." ? "" : parent;
  const folder = await makeFolders(root, { ...target, relative, namesFolder: false });
  try {
    const name = posix.basename(target.relative);
    // A link that leads nowhere: replacing it would lose it, following it would guess.
    if ((await readLinkText(`${folder.door}/${name}`)) !== undefined) {
      throw notRegularFile(target.path);
    }
    return { folder, name, existing: undefined };
  } catch (error) {
    folder.close();
    throw error;
  }
}

/** The folder in which the pinned file really lies; undefined when it moved meanwhile. */
async function pinFolderOf(
  file: Pin,
  { root, target }: { root: Root; target: Target },
): Promise<WriteTarget | undefined> {
  assertRegularFile({ pin: file, path: target.path });
  await access(file.door, constants.W_OK);
  const folderPath = dirname(file.realPath);
  const name = basename(file.realPath);
  const relative = root.wayTo(folderPath) ?? "";
  const folder = await pinExisting(root, { ...target, relative, namesFolder: true });
  if (!folder) return undefined;
  const isSure =
    folder.realPath === folderPath &&
    (!UNSURE_NAME.test(file.realPath) || (await isNamed({ folder, name, file })));
  if (isSure) return { folder, name, existing: file.stats };
  folder.close();
  return undefined;
}

async function isNamed(claim: { folder: Pin; name: string; file: Pin }): Promise<boolean> {
  try {
    const found = await lstat(`${claim.folder.door}/${claim.name}`, { bigint: true });
    return isSameFile(found, claim.file.stats);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
