// What a bridge changes: mkdirp, writeFile, remove, removeFolder, rename. Everything goes through pinned folders.

import { linkSync } from "node:fs";
import { link, lstat, rename, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import {
  assertData,
  assertPathText,
  folderNotEmpty,
  notDirectory,
  type OldFile,
  readAccess,
  rootKept,
  type WatchedRequest,
  type WriteWatch,
  type WriteWithAccess,
} from "../../../core/files/index.js";
import { abortError, type FsBridge, type FsPath, isToolError } from "../../../core/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { lazy } from "../../../lib/lazy.js";
import { type AtomicWrite, changeAndSync, writeAtomically } from "../atomic-write.js";
import { accessOf, pathChanged, toFsError } from "../errors.js";
import { closeOnError, isInPlace, isSameFile, type Pin, readPinned } from "../pin.js";
import { type Root, toPlainPlace } from "../root.js";
import type { Tidier } from "../temporaries/remove-temporaries.js";
import type { Ownership } from "../temporaries/temporary-owner.js";
import type { Found } from "../turns.js";
import { makeFolders, pinWriteTarget, type WriteTarget } from "../write-target.js";
import {
  assertWritable,
  type Entry,
  findPlaces,
  isSameEntry,
  NOWHERE,
  type Operation,
  pinEntry,
  pinName,
  waysTo,
} from "./operation.js";

const NO_LINK = ["EXDEV", "EPERM", "EACCES", "EMLINK", "ENOTSUP", "ENOSYS", "EOPNOTSUPP"];

type RenameRequest = FsPath & { to: string };

interface FoundPlace extends Found {
  readonly place: WriteTarget;
}

interface FoundOrMissing extends Found {
  readonly place?: WriteTarget;
}

interface FoundEntry extends Found {
  readonly entry: Entry;
}

export const MKDIRP: Operation<FsPath, Found, void> = {
  mode: "alone",
  async find(root, request) {
    const pin = await makeFolders(root, root.locate(request));
    pin.close();
    return NOWHERE;
  },
  use: async () => undefined,
};

export interface Traces {
  readonly ownership: Ownership;
  readonly tidier: Tidier;
}

export function createWriteFile(traces: Traces): Operation<WriteWithAccess, FoundPlace, void> {
  return {
    mode: "alone",
    check: ({ data }) => assertData(data),
    find: (root, request) => findPlace(root, request),
    use: (found, request) => writeAtomically(describeWrite(found, { request, traces })),
  };
}

export interface Watching {
  readonly watch: WriteWatch;
  readonly gone: Set<string>;
  /** Gives a bridge that waits for no one to work in the turn of the write. */
  lend(work: (bridge: FsBridge) => Promise<void>): Promise<void>;
}

export function createWatchedWrite(
  traces: Traces,
  { watch, gone, lend }: Watching,
): Operation<WriteWithAccess & WatchedRequest, FoundOrMissing, boolean> {
  const { missing, failed } = watch;
  return {
    mode: "alone",
    check: ({ data }) => assertData(data),
    async find(root, request) {
      gone.clear();
      try {
        return await findPlace(root, request, missing !== undefined);
      } catch (error) {
        if (!missing || !isToolError(error) || error.reason !== "file_missing") throw error;
      }
      for (const way of waysTo(root.locate(request).relative)) gone.add(way);
      return { ...NOWHERE, places: await findPlaces(root, [request], gone) };
    },
    async use({ place, close }, request) {
      if (!place) {
        close();
        if (missing) await lend(missing);
        return false;
      }
      const old = toOldFile(place, request.filePath);
      if (watch.judge && !(await watch.judge(old))) return false;
      const { meanwhile } = watch;
      const duringWrite = () => watch.look(old, join(place.folder.realPath, place.name));
      try {
        await writeAtomically({
          ...describeWrite({ place }, { request, traces }),
          duringWrite,
          meanwhile,
        });
        return true;
      } catch (error) {
        // Anyone who fixes opens what it needs itself.
        close();
        if (failed) await lend(failed);
        throw error;
      }
    },
  };
}

function describeWrite(
  { place }: Pick<FoundPlace, "place">,
  { request, traces }: { readonly request: WriteWithAccess; readonly traces: Traces },
): AtomicWrite {
  const { data, filePath: path, signal } = request;
  return { ...place, ...traces, data, path, signal, access: readAccess(request) };
}

export function createRemove({ tidier }: Traces): Operation<FsPath, FoundEntry, void> {
  return {
    mode: "alone",
    find: findEntry,
    async use({ entry }, { filePath: path, signal }) {
      await assertWritable(entry);
      await change({ folders: [entry.folder], path, signal, tidier }, () => unlink(doorOf(entry)));
    },
  };
}

export function createRemoveFolder({
  tidier,
}: Traces): Operation<FsPath, Found & { readonly folder: Pin; readonly name: string }, void> {
  return {
    mode: "alone",
    async find(root, request) {
      const target = root.locate(request);
      const { path } = target;
      if (target.relative === "") throw rootKept(path);
      root.assertMayChange(toPlainPlace(root, target), path);
      const { folder, name, place } = await pinName(root, target);
      return { folder, name, places: [place], close: folder.close };
    },
    use: ({ folder, name }, { filePath: path, signal }) =>
      change({ folders: [folder], path, signal, tidier }, () =>
        rmdir(doorOf({ folder, name })).catch((error: unknown) => {
          const errno = errnoOf(error);
          if (errno === "ENOTEMPTY" || errno === "EEXIST") throw folderNotEmpty(path, error);
          throw errno === "ENOTDIR" ? notDirectory(path) : error;
        }),
      ),
  };
}

export function createRename({
  tidier,
}: Traces): Operation<RenameRequest, FoundEntry & FoundPlace, void> {
  return {
    mode: "alone",
    check: ({ to }) => assertPathText(to),
    namesToo: ({ to }) => [to],
    async find(root, request) {
      const from = await findEntry(root, request);
      const target = { ...request, filePath: request.to };
      const to = await closeOnError(from, () => findPlace(root, target)).catch((error: unknown) => {
        throw toFsError(error, request.to);
      });
      const close = () => {
        from.close();
        to.close();
      };
      return { ...from, ...to, places: [...from.places, ...to.places], close };
    },
    async use({ entry, place }, { filePath: path, signal }) {
      if (isSameEntry(entry, place)) return;
      const isOther = isOtherName(entry, place);
      const isWithin = isSameFile(entry.folder.stats, place.folder.stats);
      const folders = isWithin ? [place.folder] : [place.folder, entry.folder];
      await change({ folders, path, signal, tidier }, () =>
        isOther ? unlink(doorOf(entry)) : rename(doorOf(entry), doorOf(place)),
      );
    },
  };
}

/** Both names mean one file: renaming would do nothing, or replace it by its own link. */
function isOtherName(entry: Entry, { existing, folder, name }: WriteTarget): boolean {
  if (!existing || !entry.leadsTo || !isSameFile(entry.leadsTo.stats, existing)) return false;
  // On a file system that is blind to case the one name is the other.
  const isCaseOnly =
    isSameFile(entry.folder.stats, folder.stats) && entry.name.toLowerCase() === name.toLowerCase();
  return !isCaseOnly;
}

async function findPlace(root: Root, request: FsPath, mustBeThere?: boolean): Promise<FoundPlace> {
  const place = await pinWriteTarget(root, { ...root.locate(request), mustBeThere });
  const { folder, name, close } = place;
  return { place, places: [join(folder.realPath, name)], close };
}

async function findEntry(root: Root, request: FsPath): Promise<FoundEntry> {
  const entry = await pinEntry(root, root.locate(request));
  const target = entry.leadsTo?.realPath ?? entry.place;
  return { entry, places: [entry.place, target], close: entry.folder.close };
}

interface Change {
  readonly folders: readonly Pin[];
  readonly path: string;
  readonly signal: AbortSignal | undefined;
  readonly tidier: Tidier;
}

/** What dead processes left in the first folder goes on the way. */
async function change(
  { folders, path, signal, tidier }: Change,
  make: () => Promise<void>,
): Promise<void> {
  const [first] = folders;
  const tidied = first && tidier.tidy(first);
  try {
    await changeAndSync(folders, {
      async change() {
        for (const folder of folders) if (!(await isInPlace(folder))) throw pathChanged(path);
        if (signal?.aborted) throw abortError(signal);
        await make();
      },
    });
    for (const folder of folders) tidier.remember(folder);
  } finally {
    await tidied;
  }
}

function doorOf({ folder, name }: { folder: Pin; name: string }): string {
  return `${folder.door}/${name}`;
}

/** `path` is for messages. The pins of the target must stay open while it is used. */
function toOldFile(target: WriteTarget, path: string): OldFile | undefined {
  const { file } = target;
  if (!file) return undefined;
  return {
    size: Number(file.stats.size),
    ...accessOf(file.stats),
    read: lazy(() => readPinned({ pin: file, path })),
    linkTo: (to) => linkPinned({ ...target, file }, to),
  };
}

async function linkPinned(
  { folder, name, file }: WriteTarget & { readonly file: Pin },
  to: string,
): ReturnType<OldFile["linkTo"]> {
  // Through its other name it may be written in place.
  if (file.stats.nlink !== 1n) return "refused";
  try {
    const from = `${folder.door}/${name}`;
    if (folder.isLocal) linkSync(from, to);
    else await link(from, to);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return "taken";
    if (NO_LINK.includes(errnoOf(error))) return "refused";
    throw error;
  }
  // The name may have come to mean another file since it was pinned.
  if (await hasSecondName(file, to)) return "linked";
  await unlink(to);
  return "refused";
}

async function hasSecondName(file: Pin, name: string): Promise<boolean> {
  const now = file.statNow();
  if (now) return now.nlink === 2n;
  return isSameFile(await lstat(name, { bigint: true }), file.stats);
}
