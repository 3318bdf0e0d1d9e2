// Where a write goes: the pinned folder, the name in it, and the file that is replaced. A link is
// followed to the file it names, so that the link stays a link.
import { type BigIntStats, constants } from "node:fs";
import { access, lstat, mkdir, rmdir } from "node:fs/promises";
import { basename, dirname, join, posix } from "node:path";
import {
  fileMissing,
  fileOnTheWay,
  isDirectory,
  notRegularFile,
  outsideRoot,
} from "../../core/files/index.js";
import { errnoOf, isMissing } from "../../lib/errno.js";
import { changeAndSync } from "./atomic-write.js";
import { assertMissingInside, pathChanged, readLinkText } from "./errors.js";
import { assertRegularFile, closeOnError, isInPlace, isSameFile, type Pin } from "./pin.js";
import { parentOf, pinExisting, type Root, type Target, toPlainPlace } from "./root.js";

const MAX_TRIES = 10;
const OWNER_MAY_WRITE = 0o200n;
/** Endings and characters by which the kernel's spelling of a path may not be the real name. */
const UNSURE_NAME = /\uFFFD| \(deleted\)$/;

export interface WriteTarget {
  readonly folder: Pin;
  readonly name: string;
  readonly file: Pin | undefined;
  readonly existing: BigIntStats | undefined;
  close(): void;
}

interface TargetToWrite extends Target {
  readonly mustBeThere?: boolean | undefined;
}

export async function pinWriteTarget(root: Root, target: TargetToWrite): Promise<WriteTarget> {
  if (target.namesFolder || target.relative === "") throw isDirectory(target.path);
  root.assertMayChange(toPlainPlace(root, target), target.path);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { file, folder } = await pinFileAndFolder(root, target);
    if (!file) return pinNewFile(root, { target, folder });
    const place = await pinFolderOf(file, { root, target, folder });
    if (place) return place;
  }
  throw pathChanged(target.path);
}

interface FileAndFolder {
  readonly file: Pin | undefined;
  /** What is before the last name; by a link the file may lie elsewhere. */
  readonly folder: Pin | undefined;
}

/** The way to the folder is the one that was just gone to the file. */
async function pinFileAndFolder(root: Root, target: Target): Promise<FileAndFolder> {
  const file = await pinIfThere(root.pinInside, target);
  try {
    return { file, folder: await pinIfThere(root.pinPassed, parentOf(target)) };
  } catch (error) {
    // With a file its own folder counts, wherever that is.
    if (file) return { file, folder: undefined };
    throw error;
  }
}

async function pinIfThere(pin: Root["pinInside"], target: Target): Promise<Pin | undefined> {
  try {
    return await pin(target);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function pinNewFile(
  root: Root,
  { target, folder: found }: { target: TargetToWrite; folder: Pin | undefined },
): Promise<WriteTarget> {
  if (target.mustBeThere) {
    found?.close();
    throw fileMissing(target.path);
  }
  const folder = await useOrMakeFolder(root, { target, found });
  return closeOnError(folder, async () => {
    const name = posix.basename(target.relative);
    root.assertMayChange(join(folder.realPath, name), target.path);
    if ((await readLinkText(`${folder.door}/${name}`)) !== undefined) {
      await assertMissingInside(root, target);
      // A link that leads nowhere: replacing it would lose it, following it would guess.
      throw notRegularFile(target.path);
    }
    return { folder, name, file: undefined, existing: undefined, close: folder.close };
  });
}

async function useOrMakeFolder(
  root: Root,
  { target, found }: { target: Target; found: Pin | undefined },
): Promise<Pin> {
  if (found?.stats.isDirectory()) return found;
  found?.close();
  await assertMissingInside(root, target);
  return makeFolders(root, parentOf(target));
}

interface Search {
  readonly root: Root;
  readonly target: Target;
  readonly folder: Pin | undefined;
}

/** The folder the file is really in; undefined when it moved. Closes the pins otherwise. */
async function pinFolderOf(file: Pin, search: Search): Promise<WriteTarget | undefined> {
  const { root, target } = search;
  const { path } = target;
  let folder = search.folder;
  const close = () => {
    folder?.close();
    file.close();
  };
  try {
    assertRegularFile({ pin: file, path });
    root.assertMayChange(file.realPath, path);
    await assertWritable(file);
    const [folderPath, name] = [dirname(file.realPath), basename(file.realPath)];
    if (folder?.realPath !== folderPath) {
      folder?.close();
      folder = undefined;
      const relative = root.wayTo(folderPath) ?? "";
      folder = await pinExisting(root, { ...target, relative, namesFolder: true });
    }
    if (folder && (await isSurelyIn(folder, { folderPath, name, file }))) {
      return { folder, name, file, existing: file.stats, close };
    }
    close();
    return undefined;
  } catch (error) {
    close();
    throw error;
  }
}

async function assertWritable(file: Pin): Promise<void> {
  const { uid, mode } = file.stats;
  // What the owner may do is reported by the mode alone, and need not be asked for.
  const isOwners = BigInt(process.geteuid?.() ?? -1) === uid && (mode & OWNER_MAY_WRITE) !== 0n;
  if (!isOwners) await access(file.door, constants.W_OK);
}

interface Claim {
  readonly folderPath: string;
  readonly name: string;
  readonly file: Pin;
}

async function isSurelyIn(folder: Pin, { folderPath, name, file }: Claim): Promise<boolean> {
  if (folder.realPath !== folderPath) return false;
  return !UNSURE_NAME.test(file.realPath) || isNamed({ folder, name, file });
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

export async function makeFolders(root: Root, target: Target): Promise<Pin> {
  root.assertMayChange(toPlainPlace(root, target), target.path);
  const pin = await pinOrMakeAll(root, target);
  // Links may have led to a folder that the text does not name.
  await closeOnError(pin, () => root.assertMayChange(pin.realPath, target.path));
  return pin;
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
    const above = folder;
    folder = await pinOrMake({ root, folder, name, path: target.path }).finally(above.close);
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
