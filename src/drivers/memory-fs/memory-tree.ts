// Files and folders in memory, by their way below the root. It answers as a file system would; how
// callers spell a path is left to others.

import {
  fileMissing,
  fileOnTheWay,
  folderNotEmpty,
  isDirectory,
  notDirectory,
  pathInvalid,
  rootKept,
} from "../../core/files/index.js";
import type { FsEntry, FsStat } from "../../core/index.js";

const MAX_NAME_BYTES = 255;

/** Where a path is below the root, and the caller's own words for it. */
export interface Spot {
  /** "" is the root itself. */
  readonly way: string;
  readonly namesFolder: boolean;
  readonly path: string;
}

interface StoredFile {
  readonly data: Buffer;
  readonly mtimeMs: number;
}

export interface MemoryTree {
  stat(spot: Spot): FsStat | null;
  /** The stored bytes themselves; the caller copies what it hands out. */
  read(spot: Spot): StoredFile;
  list(spot: Spot, limit: number): FsEntry[];
  makeFolder(spot: Spot): void;
  write(spot: Spot, data: Buffer): void;
  remove(spot: Spot): void;
  removeFolder(spot: Spot): void;
  rename(from: Spot, to: Spot): void;
}

export function createMemoryTree(): MemoryTree {
  const files = new Map<string, StoredFile>();
  const folders = new Map<string, number>([["", 0]]);
  let time = 0;

  function find(spot: Spot): StoredFile | "folder" | undefined {
    assertNames(spot);
    if (folders.has(spot.way)) return "folder";
    return spot.namesFolder ? undefined : files.get(spot.way);
  }

  function findFile(spot: Spot): StoredFile {
    const found = find(spot);
    if (!found) throw fileMissing(spot.path);
    if (found === "folder") throw isDirectory(spot.path);
    return found;
  }

  /** For reading: a file that is used as a folder is another mistake than one that is missing. */
  function assertFound(spot: Spot): void {
    if (find(spot)) return;
    throw waysTo(spot.way).some((way) => files.has(way))
      ? fileOnTheWay(spot.path)
      : fileMissing(spot.path);
  }

  function makeFolders(way: string, path: string): void {
    for (const folder of waysTo(way)) {
      if (files.has(folder)) throw fileOnTheWay(path);
      if (!folders.has(folder)) folders.set(folder, time);
    }
  }

  function assertFileSpot(spot: Spot): void {
    assertNames(spot);
    if (spot.namesFolder || folders.has(spot.way)) throw isDirectory(spot.path);
  }

  function put(spot: Spot, file: StoredFile): void {
    makeFolders(parentOf(spot.way), spot.path);
    files.set(spot.way, file);
  }

  return {
    stat(spot) {
      const found = find(spot);
      if (!found) return null;
      if (found !== "folder")
        return { type: "file", size: found.data.length, mtimeMs: found.mtimeMs };
      return { type: "directory", size: 0, mtimeMs: folders.get(spot.way) ?? 0 };
    },
    read(spot) {
      assertFound(spot);
      return findFile(spot);
    },
    list(spot, limit) {
      assertFound(spot);
      if (find(spot) !== "folder") throw notDirectory(spot.path);
      const namesOf = (ways: Iterable<string>, type: FsEntry["type"]) =>
        [...ways]
          .filter((way) => way !== "" && parentOf(way) === spot.way)
          .map((way) => ({ name: nameOf(way), type }));
      const entries = [...namesOf(folders.keys(), "directory"), ...namesOf(files.keys(), "file")];
      return entries.slice(0, limit);
    },
    makeFolder(spot) {
      assertNames(spot);
      makeFolders(spot.way, spot.path);
    },
    write(spot, data) {
      assertFileSpot(spot);
      put(spot, { data, mtimeMs: ++time });
    },
    remove(spot) {
      assertFileSpot(spot);
      findFile(spot);
      files.delete(spot.way);
    },
    removeFolder(spot) {
      const found = find(spot);
      if (!found) throw fileMissing(spot.path);
      if (found !== "folder") throw notDirectory(spot.path);
      if (spot.way === "") throw rootKept(spot.path);
      const isIn = (way: string) => parentOf(way) === spot.way;
      if ([...folders.keys(), ...files.keys()].some(isIn)) throw folderNotEmpty(spot.path);
      folders.delete(spot.way);
    },
    rename(from, to) {
      assertFileSpot(from);
      const file = findFile(from);
      assertFileSpot(to);
      if (from.way === to.way) return;
      put(to, file);
      files.delete(from.way);
    },
  };
}

function assertNames({ way, path }: Spot): void {
  if (way.split("/").every((name) => Buffer.byteLength(name) <= MAX_NAME_BYTES)) return;
  throw pathInvalid(path, "a name in it is too long");
}

function waysTo(way: string): string[] {
  if (way === "") return [];
  const names = way.split("/");
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

function parentOf(way: string): string {
  return way.slice(0, Math.max(0, way.lastIndexOf("/")));
}

function nameOf(way: string): string {
  return way.slice(way.lastIndexOf("/") + 1);
}
