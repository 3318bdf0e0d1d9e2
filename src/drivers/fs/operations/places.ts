// The real paths behind the paths of a caller, existing or not; nothing is opened or made.

import { join } from "node:path";
import type { FsPath } from "../../../core/index.js";
import { toFsError } from "../errors.js";
import { pinNearestFolder } from "../missing.js";
import { pinExisting, type Root, type Target } from "../root.js";

export async function findPlaces(root: Root, paths: readonly FsPath[]): Promise<string[]> {
  const places: string[] = [];
  for (const path of paths) {
    try {
      places.push(await findRealPath(root, root.locate(path)));
    } catch (error) {
      throw toFsError(error, path.filePath);
    }
  }
  return places;
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
