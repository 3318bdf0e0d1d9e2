// One thing a bridge does to a path: what is pinned for it, then what is done, in that order. Turns
// are taken in between, by others.
import { type BigIntStats, constants, lstatSync } from "node:fs";
import { access, lstat } from "node:fs/promises";
import { join, posix } from "node:path";
import {
  fileMissing,
  isDirectory,
  notRegularFile,
  type RealPlace,
  type TurnMode,
} from "../../../core/files/index.js";
import type { FsPath } from "../../../core/index.js";
import { isMissing } from "../../../lib/errno.js";
import { pathChanged, pinNearestFolder, toFsError } from "../errors.js";
import { closeOnError, isSameFile, type Pin } from "../pin.js";
import { parentOf, pinExisting, type Root, type Target, toPlainPlace } from "../root.js";
import type { Found } from "../turns.js";

export interface Operation<R extends FsPath, F extends Found, T> {
  readonly mode: TurnMode;
  check?(request: R): void;
  namesToo?(request: R): readonly string[];
  find(root: Root, request: R): Promise<F>;
  use(found: F, request: R): Promise<T>;
}

export const NOWHERE: Found = { places: [], close: () => undefined };
const MAX_TRIES = 10;
/** How the kernel names what has lost its name; or it is called so. */
const UNSURE_NAME = / \(deleted\)$/;

export const REAL_PLACE: Operation<FsPath, Found & { readonly place: RealPlace }, RealPlace> = {
  mode: "shared",
  async find(root, request) {
    const target = root.locate(request);
    const entry = join(await findRealPath(root, parentOf(target)), posix.basename(target.relative));
    return { ...NOWHERE, place: { entry, file: await findRealPath(root, target) } };
  },
  use: async ({ place }) => place,
};

export async function findPlaces(
  root: Root,
  paths: readonly FsPath[],
  passed: Set<string>,
): Promise<string[]> {
  const places: string[] = [];
  for (const path of paths) {
    try {
      const target = root.locate(path);
      places.push(await findRealPath(root, target));
      for (const folder of waysTo(target.relative)) passed.add(folder);
    } catch (error) {
      throw toFsError(error, path.filePath);
    }
  }
  return places;
}

export function waysTo(relative: string): readonly string[] {
  const names = relative.split("/");
  return names.map((_name, at) => names.slice(0, at + 1).join("/"));
}

async function findRealPath(root: Root, target: Target): Promise<string> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const pin = await pinExisting(root, target);
    if (!pin) return findMissingPath(root, target);
    const { realPath, stats } = pin;
    pin.close();
    if (!UNSURE_NAME.test(realPath) || isThere(realPath, stats)) return realPath;
    // Another write took the file out of its folder since it was found.
  }
  throw pathChanged(target.path);
}

function isThere(realPath: string, stats: BigIntStats): boolean {
  const found = lstatSync(realPath, { bigint: true, throwIfNoEntry: false });
  return found !== undefined && isSameFile(found, stats);
}

async function findMissingPath(root: Root, target: Target): Promise<string> {
  const { folder, names } = await pinNearestFolder(root, target);
  folder.close();
  return join(folder.realPath, ...names);
}

export interface Entry {
  readonly folder: Pin;
  readonly name: string;
  readonly stats: BigIntStats;
  readonly leadsTo: { readonly realPath: string; readonly stats: BigIntStats } | undefined;
  readonly place: string;
}

/** Throws when nothing is there, when it is not a file or link, when it leads out or is protected. */
export async function pinEntry(root: Root, target: Target): Promise<Entry> {
  const { path } = target;
  if (target.namesFolder || target.relative === "") throw isDirectory(path);
  root.assertMayChange(toPlainPlace(root, target), path);
  const leadsTo = await followEntry(root, target);
  const { folder, name, place } = await pinName(root, target);
  const stats = await closeOnError(folder, () => readEntry(`${folder.door}/${name}`, path));
  return { folder, name, stats, leadsTo, place };
}

/** A name in its folder, there or not. Throws when the folder is missing or the place is protected. */
export async function pinName(
  root: Root,
  target: Target,
): Promise<Pick<Entry, "folder" | "name" | "place">> {
  const folder = await pinExisting(root, { ...parentOf(target), namesFolder: true });
  if (!folder) throw fileMissing(target.path);
  const name = posix.basename(target.relative);
  const place = join(folder.realPath, name);
  await closeOnError(folder, () => root.assertMayChange(place, target.path));
  return { folder, name, place };
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
