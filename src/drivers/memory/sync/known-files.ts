// What the index knows of each note, kept in memory as long as no one else writes the index.

import type { Database } from "../index-file/database.js";
import { numberOf, textOf } from "../index-file/row.js";
import type { NoteFile } from "../notes/scan.js";

/**
 * A file may be changed twice within one tick of the file system's clock. What was read so soon
 * after it was written is read once more.
 */
const CLOCK_TICK_MS = 50;

export interface KnownFile {
  readonly id: number;
  readonly mtimeMs: number;
  readonly bytes: number;
  readonly inode: number;
  /** When it was read. */
  readonly checkedMs: number;
  readonly hash: string;
}

export interface Plan {
  readonly changed: readonly NoteFile[];
  /** Paths that are there no more. */
  readonly gone: readonly string[];
  /** Without those that are only read once more to be sure. */
  readonly stale: number;
  /** What it was made from; when the index is read again it may be another. */
  readonly from: ReadonlyMap<string, KnownFile>;
}

export interface KnownFiles {
  /** Reads the index again when another connection has written to it. */
  read(): ReadonlyMap<string, KnownFile>;
  /** As of the last reading, and of what was set since. */
  get(path: string): KnownFile | undefined;
  set(path: string, file: KnownFile): void;
  delete(path: string): void;
  /** After a transaction that was taken back. */
  forget(): void;
}

export function createKnownFiles(database: Database): KnownFiles {
  let known: Map<string, KnownFile> | undefined;
  let version = -1;

  return {
    read() {
      const now = numberOf(database.statement("PRAGMA notes.data_version").get(), "data_version");
      if (known === undefined || now !== version) known = load(database);
      version = now;
      return known;
    },
    get: (path) => known?.get(path),
    set: (path, file) => void known?.set(path, file),
    delete: (path) => void known?.delete(path),
    forget() {
      known = undefined;
    },
  };
}

function load(database: Database): Map<string, KnownFile> {
  const rows = database
    .statement("SELECT id, path, mtime_ms, bytes, inode, checked_ms, hash FROM notes.files")
    .all();
  return new Map(
    rows.map((row) => [
      textOf(row, "path"),
      {
        id: numberOf(row, "id"),
        mtimeMs: numberOf(row, "mtime_ms"),
        bytes: numberOf(row, "bytes"),
        inode: numberOf(row, "inode"),
        checkedMs: numberOf(row, "checked_ms"),
        hash: textOf(row, "hash"),
      },
    ]),
  );
}

export function makePlan(notes: readonly NoteFile[], known: ReadonlyMap<string, KnownFile>): Plan {
  const changed: NoteFile[] = [];
  let met = 0;
  let doubtful = 0;
  for (const note of notes) {
    const file = known.get(note.path);
    if (file !== undefined) met++;
    const state = judge(note, file);
    if (state !== "same") changed.push(note);
    if (state === "doubtful") doubtful++;
  }
  const stale = changed.length - doubtful;
  // When all known ones were met, none is gone.
  if (met === known.size) return { changed, gone: [], stale, from: known };
  const paths = new Set(notes.map(({ path }) => path));
  const gone = [...known.keys()].filter((path) => !paths.has(path));
  return { changed, gone, stale: stale + gone.length, from: known };
}

function judge(note: NoteFile, known: KnownFile | undefined): "same" | "changed" | "doubtful" {
  if (known === undefined) return "changed";
  const isSame =
    note.mtimeMs === known.mtimeMs && note.bytes === known.bytes && note.inode === known.inode;
  if (!isSame) return "changed";
  return note.mtimeMs > known.checkedMs - CLOCK_TICK_MS ? "doubtful" : "same";
}
