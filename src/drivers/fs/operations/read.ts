// What a bridge does without changing anything: stat, readFile, openFile, list.

import { closeSync, constants, type Dir, type Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import {
  assertListLimit,
  type FileWithAccess,
  fileClosed,
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
import { whenFilesFree } from "../../../lib/system/file-descriptors.js";
import { type OpenFile, read, statOpen } from "../descriptor.js";
import {
  accessOf,
  pathChanged,
  pinNearestFolder,
  toFsError,
  toFsStat,
  toFsType,
} from "../errors.js";
import {
  assertRegularFile,
  closeOnError,
  isSameFile,
  type Pin,
  type PinnedFile,
  type PinPath,
  readPinned,
} from "../pin.js";
import { pinExisting, type Root, type Target } from "../root.js";
import { parseTemporaryName } from "../temporaries/temporary-owner.js";
import type { Found } from "../turns.js";
import { NOWHERE, type Operation } from "./operation.js";

interface FileToOpen extends PinnedFile {
  readonly signal: AbortSignal | undefined;
}

interface FileToRead extends OpenFile {
  readonly path: string;
  readonly signal: AbortSignal | undefined;
  readonly stat: FsFile["stat"];
}

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
  await closeOnError(pin, () => root.assertMayRead(pin, request.filePath));
  return toFound(pin);
}

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
  readonly path: string;
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
  readonly pinPath: PinPath;
  isInside(realPath: string): boolean;
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

/** A link has the type of its target, or "other" when that is missing or outside the root. */
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

async function openPinned({ pin, path, signal }: FileToOpen): Promise<FileWithAccess> {
  assertRegularFile({ pin, path });
  const descriptor = await pin.open(constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await statOpen({ descriptor, isLocal: pin.isLocal });
    if (!isSameFile(stats, pin.stats) || !(await pin.confirm())) throw pathChanged(path);
    const file = describeFile({
      ...{ descriptor, isLocal: pin.isLocal, path, signal },
      stat: toFsStat(stats),
    });
    return { ...file, ...accessOf(stats) };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function describeFile({ path, signal, stat, ...file }: FileToRead): FsFile {
  const underWay = new Set<Promise<number>>();
  let closing: Promise<void> | undefined;

  async function fill(into: Uint8Array, position: number): Promise<number> {
    let filled = 0;
    while (filled < into.byteLength) {
      if (signal?.aborted) throw abortError(signal);
      const room = into.byteLength - filled;
      const bytesRead = await read(file, { into, from: filled, position: position + filled });
      filled += bytesRead;
      if (bytesRead === 0) break;
      // One call of the system may give less than there is; behind the known end it has said all.
      if (bytesRead < room && stat.size > 0 && position + filled >= stat.size) break;
    }
    return filled;
  }

  /** A number that was closed may mean another file, so reads that are under way come first. */
  async function close(): Promise<void> {
    if (underWay.size > 0) await Promise.allSettled(underWay);
    closeSync(file.descriptor);
  }

  return {
    stat,
    async read(into, position) {
      if (closing) throw fileClosed(path);
      const reading = fill(into, position);
      underWay.add(reading);
      try {
        return await reading;
      } catch (error) {
        throw toFsError(error, path);
      } finally {
        underWay.delete(reading);
      }
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}
