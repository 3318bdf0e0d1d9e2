// Makes a folder and its parents, one by one, each under the pinned folder above it.

import { mkdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { fileOnTheWay, notRegularFile, outsideRoot } from "../../core/files/index.js";
import { errnoOf, isMissing } from "../../lib/errno.js";
import { pathChanged } from "./errors.js";
import { assertMissingInside, readLinkText } from "./missing.js";
import { isInPlace, type Pin } from "./pin.js";
import { type Root, type Target, toPlainPlace } from "./root.js";
import { changeAndSync } from "./sync-folder.js";

/** The pin of the folder, made if need be; the caller closes it. */
export async function makeFolders(root: Root, target: Target): Promise<Pin> {
  root.assertMayChange(toPlainPlace(root, target), target.path);
  const pin = await pinOrMakeAll(root, target);
  try {
    // Links may have led to a folder that the text does not name.
    root.assertMayChange(pin.realPath, target.path);
    return pin;
  } catch (error) {
    pin.close();
    throw error;
  }
}

async function pinOrMakeAll(root: Root, target: Target): Promise<Pin> {
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
  try {
    return await pinStep(step);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
  const isOurs = await changeAndSync([step.folder], {
    change: () => makeStep(step),
  });
  try {
    return await pinStep(step);
  } catch (error) {
    // Whatever was moved meanwhile, an empty folder of ours stays nowhere it was not asked for.
    if (isOurs) await rmdir(`${step.folder.door}/${step.name}`).catch(() => undefined);
    throw errnoOf(error) === "ENOENT" ? await explainMissing(step) : error;
  }
}

/** The name was taken, or is ours, and yet nothing is there: a broken link, or someone moves it. */
async function explainMissing(step: Step): Promise<unknown> {
  const { folder, name, path } = step;
  if ((await readLinkText(`${folder.door}/${name}`)) === undefined) return pathChanged(path);
  try {
    const pin = await pinStep(step);
    pin.close();
    return pathChanged(path);
  } catch (error) {
    return errnoOf(error) === "ENOENT" ? notRegularFile(path) : error;
  }
}

/** Whether it was made here. */
async function makeStep({ root, folder, name, path }: Step): Promise<boolean> {
  root.assertMayChange(join(folder.realPath, name), path);
  if (!(await isInPlace(folder))) throw pathChanged(path);
  try {
    await mkdir(`${folder.door}/${name}`);
    return true;
  } catch (error) {
    // Someone else made it, or it is a broken link: the next step finds out.
    if (errnoOf(error) !== "EEXIST") throw error;
    return false;
  }
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
  throw fileOnTheWay(path);
}
