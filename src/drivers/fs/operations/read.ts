// What a bridge does without changing anything: stat, readFile, openFile, list.

import type { Dir, Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import {
  assertListLimit,
  fileMissing,
  fileOnTheWay,
  notDirectory,
} from "../../../core/files/index.js";
import {
  abortError,
  type FsEntry,
  type FsFile,
  type FsPath,
  type FsStat,
  type ToolError,
} from "../../../core/index.js";
import { errnoOf, isMissing } from "../../../lib/errno.js";
import { whenFilesFree } from "../../../lib/open-files.js";
import { pathChanged } from "../errors.js";
import { pinNearestFolder } from "../missing.js";
import type { Pin, PinPath } from "../pin.js";
import { readPinned } from "../read-pinned.js";
import { pinExisting, type Root, type Target } from "../root.js";
import { toFsStat, toFsType } from "../stat.js";
import { parseTemporaryName } from "../temporaries/temporary-owner.js";
import type { Found } from "../turns.js";
import { openPinned } from "./open-file.js";
import { NOWHERE, type Operation } from "./operation.js";

const MAX_ENTRIES_AT_ONCE = 256;

interface FoundFile extends Found {
  readonly pin: Pin;
}

export const STAT: Operation<FsPath, Found & { pin?: Pin }, FsStat | null> = {
  mode: "shared",
  async find(root, request) {
    const pin = await pinExisting(root, root.locate(request));
    return pin ? toFound(pin) : NOWHERE;
  },
  use: async ({ pin }) => (pin ? toFsStat(pin.stats) : null),
};

export const READ_FILE: Operation<FsPath, FoundFile, Buffer> = {
  mode: "shared",
  find: findFile,
  use: ({ pin }, { filePath: path }) => readPinned({ pin, path }),
};

export const OPEN_FILE: Operation<FsPath, FoundFile, FsFile> = {
  mode: "shared",
  find: findFile,
  use: ({ pin }, { filePath: path, signal }) => openPinned({ pin, path, signal }),
};

interface FoundFolder extends FoundFile {
  readonly root: Root;
}

export const LIST: Operation<FsPath & { limit: number }, FoundFolder, FsEntry[]> = {
  mode: "shared",
  check: ({ limit }) => assertListLimit(limit),
  find: async (root, request) => ({ ...(await findFile(root, request)), root }),
  use: async ({ pin, root }, { filePath: path, limit, signal }) => {
    if (!pin.stats.isDirectory()) throw notDirectory(path);
    const { pinPath } = root;
    const isInside = (realPath: string) => root.wayTo(realPath) !== undefined;
    const note = (name: string) => root.noteListed(pin, name);
    return listPinned({ folder: pin, path, limit, signal, pinPath, isInside, note });
  },
};

async function findFile(root: Root, request: FsPath): Promise<FoundFile> {
  const target = root.locate(request);
  const pin = await pinExisting(root, target);
  if (!pin) throw await explainMissing(root, target);
  try {
    root.assertMayRead(pin, request.filePath);
  } catch (error) {
    pin.close();
    throw error;
  }
  return toFound(pin);
}

/** Nothing is there, or a file is used as a folder. */
async function explainMissing(root: Root, target: Target): Promise<ToolError> {
  const { folder } = await pinNearestFolder(root, target);
  folder.close();
  const isNamed = target.namesFolder && (await isFile(root, target));
  return isNamed || !folder.stats.isDirectory()
    ? fileOnTheWay(target.path)
    : fileMissing(target.path);
}

async function isFile(root: Root, target: Target): Promise<boolean> {
  const pin = await pinExisting(root, { ...target, namesFolder: false });
  pin?.close();
  return pin !== undefined && !pin.stats.isDirectory();
}

function toFound(pin: Pin): FoundFile {
  return { pin, places: [pin.realPath], close: pin.close };
}

interface FolderToList {
  readonly folder: Pin;
  /** The caller's own words, for messages. */
  readonly path: string;
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
  readonly pinPath: PinPath;
  /** Whether a real path lies inside the root. */
  isInside(realPath: string): boolean;
  /** Called with each name that is not a link. */
  note(name: string): void;
}

async function listPinned(request: FolderToList): Promise<FsEntry[]> {
  const { folder, path, limit, signal } = request;
  const entries: FsEntry[] = [];
  if (limit === 0) return entries;
  const bufferSize = Math.min(limit, MAX_ENTRIES_AT_ONCE);
  for await (const found of await openFolder(`${folder.door}/.`, bufferSize)) {
    if (signal?.aborted) throw abortError(signal);
    if (parseTemporaryName(found.name)) continue;
    const { name } = found;
    if (!found.isSymbolicLink()) {
      request.note(name);
      entries.push({ name, type: toFsType(found) });
    } else entries.push({ name, type: await typeOfLink(found, request), isLink: true });
    if (entries.length === limit) break;
  }
  if (!(await folder.confirm())) throw pathChanged(path);
  return entries;
}

function openFolder(path: string, bufferSize: number): Promise<Dir> {
  return whenFilesFree(() => opendir(path, { bufferSize }));
}

/** A link counts as what it leads to, and as "other" when that is nothing or lies outside. */
async function typeOfLink(found: Dirent, request: FolderToList): Promise<FsEntry["type"]> {
  try {
    const pin = await request.pinPath(`${request.folder.door}/${found.name}`);
    try {
      return request.isInside(pin.realPath) ? toFsType(pin.stats) : "other";
    } finally {
      pin.close();
    }
  } catch (error) {
    if (isMissing(error) || ["ELOOP", "EACCES"].includes(errnoOf(error))) return "other";
    throw error;
  }
}
