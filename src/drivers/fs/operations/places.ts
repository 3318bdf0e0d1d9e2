// The real paths behind the paths of a caller, existing or not; nothing is opened or made.

import { join } from "node:path";
import type { FsPath } from "../../../core/index.js";
import { toFsError } from "../errors.js";
import { pinNearestFolder } from "../missing.js";
import { pinExisting, type Root, type Target } from "../root.js";

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
function waysTo(relative: string): readonly string[] {
  const names = relative.split("/");
  return names.map((_name, at) => names.slice(0, at + 1).join("/"));
}

async function findRealPath(root: Root, target: Target): Promise<string> {
  const pin = await pinExisting(root, target);
  if (pin) {
    pin.close();
    return pin.realPath;
  }
  const { folder, names } = await pinNearestFolder(root, target);
  folder.close();
  return join(folder.realPath, ...names);
}
