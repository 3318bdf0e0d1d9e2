// A name in a pinned folder, not followed: what `remove` and `rename` work on, so that a link is
// taken away or moved as a link.

import { type BigIntStats, constants } from "node:fs";
import { access, lstat } from "node:fs/promises";
import { join, posix } from "node:path";
import { fileMissing, isDirectory, notRegularFile } from "../../../core/files/index.js";
import { isMissing } from "../../../lib/errno.js";
import { isSameFile, type Pin } from "../pin.js";
import { pinExisting, type Root, type Target, toPlainPlace } from "../root.js";

export interface Entry {
  /** The caller closes it. */
  readonly folder: Pin;
  readonly name: string;
  /** Of the entry itself: a link is a link. */
  readonly stats: BigIntStats;
  /** What a link leads to; undefined for a link to nothing, the entry itself for a file. */
  readonly leadsTo: { readonly realPath: string; readonly stats: BigIntStats } | undefined;
  /** The real path of the entry. */
  readonly place: string;
}

/** Throws when nothing is there, when it is not a file or link, when it leads out or is protected. */
export async function pinEntry(root: Root, target: Target): Promise<Entry> {
  const { path } = target;
  if (target.namesFolder || target.relative === "") throw isDirectory(path);
  root.assertMayChange(toPlainPlace(root, target), path);
  const leadsTo = await followEntry(root, target);
  const parent = posix.dirname(target.relative);
  const relative = parent === "." ? "" : parent;
  const folder = await pinExisting(root, { ...target, relative, namesFolder: true });
  if (!folder) throw fileMissing(path);
  try {
    const name = posix.basename(target.relative);
    const place = join(folder.realPath, name);
    root.assertMayChange(place, path);
    const stats = await readEntry(`${folder.door}/${name}`, path);
    return { folder, name, stats, leadsTo, place };
  } catch (error) {
    folder.close();
    throw error;
  }
}

/** A file without write permission is neither replaced nor removed. */
export async function assertWritable(entry: Entry): Promise<void> {
  if (entry.stats.isFile()) await access(`${entry.folder.door}/${entry.name}`, constants.W_OK);
}

export function isSameEntry(one: Entry, other: { folder: Pin; name: string }): boolean {
  return one.name === other.name && isSameFile(one.folder.stats, other.folder.stats);
}

async function followEntry(root: Root, target: Target): Promise<Entry["leadsTo"]> {
  const pin = await pinExisting(root, target);
  if (!pin) return undefined;
  const { realPath, stats } = pin;
  pin.close();
  return { realPath, stats };
}

async function readEntry(door: string, path: string): Promise<BigIntStats> {
  const stats = await lstat(door, { bigint: true }).catch((error: unknown) => {
    throw isMissing(error) ? fileMissing(path, error) : error;
  });
  if (stats.isDirectory()) throw isDirectory(path);
  if (!stats.isFile() && !stats.isSymbolicLink()) throw notRegularFile(path);
  return stats;
}
