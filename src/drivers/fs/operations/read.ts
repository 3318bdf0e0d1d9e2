// What a bridge does without changing anything: stat, readFile, openFile, list.

import {
  assertListLimit,
  fileMissing,
  fileOnTheWay,
  notDirectory,
} from "../../../core/files/index.js";
import type { FsEntry, FsFile, FsPath, FsStat, ToolError } from "../../../core/index.js";
import { pinNearestFolder } from "../missing.js";
import type { Pin } from "../pin.js";
import { readPinned } from "../read-pinned.js";
import { pinExisting, type Root, type Target } from "../root.js";
import { toFsStat } from "../stat.js";
import type { Found } from "../turns.js";
import { listPinned } from "./list-folder.js";
import { openPinned } from "./open-file.js";
import { NOWHERE, type Operation } from "./operation.js";

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
    return listPinned({ folder: pin, path, limit, signal, pinPath, isInside });
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
