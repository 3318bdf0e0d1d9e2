// The real paths behind the paths of a caller, existing or not; nothing is opened or made.

import { type BigIntStats, lstatSync } from "node:fs";
import { join, posix } from "node:path";
import type { RealPlace } from "../../../core/files/index.js";
import type { FsPath } from "../../../core/index.js";
import { pathChanged, toFsError } from "../errors.js";
import { pinNearestFolder } from "../missing.js";
import { isSameFile } from "../pin.js";
import { pinExisting, type Root, type Target } from "../root.js";
import type { Found } from "../turns.js";
import { NOWHERE, type Operation } from "./operation.js";

/** How often a file may be replaced while its place is looked for. */
const MAX_TRIES = 10;
/** How the kernel names what has lost its name; or it is called so. */
const UNSURE_NAME = / \(deleted\)$/;

/** For one path, with the place of its last name when that is a link. */
export const REAL_PLACE: Operation<FsPath, Found & { readonly place: RealPlace }, RealPlace> = {
  mode: "shared",
  async find(root, request) {
    const target = root.locate(request);
    const parent = posix.dirname(target.relative);
    const folder = { ...target, relative: parent === "." ? "" : parent, namesFolder: false };
    const entry = join(await findRealPath(root, folder), posix.basename(target.relative));
    return { ...NOWHERE, place: { entry, file: await findRealPath(root, target) } };
  },
  use: async ({ place }) => place,
};

/** `passed` gets the ways that were gone. */
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

/** Itself and the folders above it. */
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
