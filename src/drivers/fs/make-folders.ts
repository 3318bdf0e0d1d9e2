// Makes a folder and its parents, one by one, each under the pinned folder above it.

import { mkdir } from "node:fs/promises";
import { errnoOf, isMissing, notRegularFile, outsideRoot, pathInvalid } from "./errors.js";
import { assertMissingInside } from "./missing.js";
import type { Pin } from "./pin.js";
import type { Root, Target } from "./root.js";
import { syncFolder } from "./sync-folder.js";

/** The pin of the folder, made if need be; the caller closes it. */
export async function makeFolders(root: Root, target: Target): Promise<Pin> {
  try {
    return assertFolder(await root.pinInside(target), target.path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await assertMissingInside(root, target);
    if (errnoOf(error) !== "ENOENT") throw error;
  }
  return makeMissingFolders(root, target);
}

async function makeMissingFolders(root: Root, target: Target): Promise<Pin> {
  let folder = await root.pinInside({ ...target, relative: "", namesFolder: false });
  for (const name of target.relative.split("/")) {
    try {
      const next = await pinOrMake({ root, folder, name, path: target.path });
      folder.close();
      folder = next;
    } catch (error) {
      folder.close();
      throw error;
    }
  }
  return folder;
}

interface Step {
  readonly root: Root;
  readonly folder: Pin;
  readonly name: string;
  readonly path: string;
}

async function pinOrMake(step: Step): Promise<Pin> {
  const { folder, name, path } = step;
  try {
    return await pinStep(step);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
  await mkdir(`${folder.door}/${name}`).catch((error: unknown) => {
    // Somebody else made it, or it is a broken link: the next step finds out.
    if (errnoOf(error) !== "EEXIST") throw error;
  });
  await syncFolder(folder);
  return pinStep(step).catch((error: unknown) => {
    throw errnoOf(error) === "ENOENT" ? notRegularFile(path) : error;
  });
}

async function pinStep({ root, folder, name, path }: Step): Promise<Pin> {
  const next = await root.pinPath(`${folder.door}/${name}`);
  if (root.wayTo(next.realPath) !== undefined) return assertFolder(next, path);
  next.close();
  throw outsideRoot(path);
}

function assertFolder(pin: Pin, path: string): Pin {
  if (pin.stats.isDirectory()) return pin;
  pin.close();
  throw pathInvalid(path, "a part of it is a file, not a folder");
}
