// What a bridge does without changing anything: stat, readFile, openFile, list.

import { assertListLimit, fileMissing, notDirectory } from "../../../core/files/index.js";
import type { FsEntry, FsFile, FsPath, FsStat } from "../../../core/index.js";
import type { Pin } from "../pin.js";
import { readPinned } from "../read-pinned.js";
import { pinExisting, type Root } from "../root.js";
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
  const pin = await pinExisting(root, root.locate(request));
  if (!pin) throw fileMissing(request.filePath);
  try {
    root.assertMayRead(pin, request.filePath);
  } catch (error) {
    pin.close();
    throw error;
  }
  return toFound(pin);
}

function toFound(pin: Pin): FoundFile {
  return { pin, places: [pin.realPath], close: pin.close };
}
