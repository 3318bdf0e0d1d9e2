// Brings the index up to date with the notes: in batches, each of which is whole or absent, or as one
// when the index is rebuilt next to readers of the old one.

import { type FSWatcher, watch } from "node:fs";
import type { MemoryProgress } from "../../../core/index.js";
import { numberOf } from "../../sqlite.js";
import { type Database, EMPTY, retryWhileBusy } from "../index-file/database.js";
import { readMeta, writeMeta } from "../index-file/open-index.js";
import type { ChunkSettings } from "../notes/chunk.js";
import { readNote } from "../notes/read-note.js";
import type { NoteFile, NoteList } from "../notes/scan.js";
import {
  createNoteWriter,
  type KnownFiles,
  makePlan,
  type NoteWriter,
  type Pace,
  type Plan,
} from "./known-files.js";

const BATCH_NOTES = 2_000;
const BATCH_MS = 500;
const PROGRESS_EVERY = 100;
const COMPLETE_KEY = "complete";

interface SyncRequest {
  readonly writer: Database;
  readonly known: KnownFiles;
  readonly list: NoteList;
  readonly plan?: Plan | undefined;
  readonly chunking: ChunkSettings;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly isFresh: boolean;
  readonly onProgress: (progress: MemoryProgress) => void;
}

interface Work extends SyncRequest {
  readonly noteWriter: NoteWriter;
  readonly warnings: string[];
}

/** Gives warnings about notes that are not searched, or not as a whole. */
export async function syncNotes(request: SyncRequest): Promise<readonly string[]> {
  const { writer, known, chunking } = request;
  request.signal.throwIfAborted();
  const work: Work = { ...request, noteWriter: createNoteWriter(writer, chunking), warnings: [] };
  try {
    const plan = await beginWithPlan(work);
    if (request.isFresh) writer.exec(EMPTY);
    await writeAll(work, plan);
    for (const path of plan.gone) {
      work.noteWriter.remove(path);
      known.delete(path);
    }
    writeMeta(writer, { key: COMPLETE_KEY, value: "1" });
    writer.commit();
    return work.warnings;
  } catch (error) {
    known.forget();
    throw error;
  } finally {
    writer.rollback();
  }
}

/** Under the lock: another process may have done a part of it while this one waited. */
async function beginWithPlan(work: Work): Promise<Plan> {
  const { known, list, isFresh } = work;
  await begin(work);
  const files = known.read();
  if (!isFresh) return work.plan?.from === files ? work.plan : makePlan(list.notes, files);
  known.forget();
  return { changed: list.notes, gone: [], stale: list.notes.length, from: files };
}

function begin({ writer, signal }: Work): Promise<void> {
  return retryWhileBusy(() => writer.begin(), signal);
}

async function writeAll(work: Work, { changed }: Plan): Promise<void> {
  const { writer, list, pace, isFresh, onProgress } = work;
  const total = list.notes.length;
  const before = total - changed.length;
  let batchNotes = 0;
  let batchBeganMs = performance.now();
  for (const [index, note] of changed.entries()) {
    writeOne(work, note);
    batchNotes++;
    const isFull = batchNotes >= BATCH_NOTES || performance.now() - batchBeganMs >= BATCH_MS;
    if (isFull && !isFresh) {
      writer.commit();
      await pace.pause();
      await begin(work);
      work.known.read();
      batchNotes = 0;
      batchBeganMs = performance.now();
    }
    if (index % PROGRESS_EVERY === 0) onProgress({ done: before + index, total });
    if (pace.isDue()) await pace.pause();
  }
  onProgress({ done: total, total });
}

function writeOne(work: Work, note: NoteFile): void {
  const { list, known, noteWriter, warnings, now, isFresh } = work;
  const { path, file } = note;
  const checkedMs = now();
  const reading = readNote({ path, file, within: list.within });
  if (reading.kind === "skipped") warnings.push(reading.warning);
  if (reading.kind !== "content") return;
  const old = isFresh ? undefined : known.get(path);
  known.set(path, noteWriter.put({ note, content: reading.content, known: old, checkedMs }));
}

export function readPartial(
  reader: Database,
  total: number,
): { readonly indexed: number; readonly total: number } | undefined {
  if (readMeta(reader, COMPLETE_KEY) !== undefined) return undefined;
  const row = reader.statement("SELECT count(*) AS count FROM notes.files").get();
  return { indexed: numberOf(row, "count"), total };
}

const MAX_FOLDERS = 1_000;

interface FolderWatch {
  follow(folders: readonly string[]): void;
  close(): void;
}

/** A folder that cannot be watched is looked at by the next search. */
export function createFolderWatch(onChange: () => void): FolderWatch {
  const watchers = new Map<string, FSWatcher>();

  function drop(folder: string): void {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  }

  function add(folder: string): void {
    if (watchers.has(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, onChange);
      watcher.on("error", () => drop(folder));
      watchers.set(folder, watcher);
    } catch {
      // No handle is left, or the folder is gone.
      drop(folder);
    }
  }

  return {
    follow(folders) {
      const wanted = new Set(folders.slice(0, MAX_FOLDERS));
      for (const folder of [...watchers.keys()]) if (!wanted.has(folder)) drop(folder);
      for (const folder of wanted) add(folder);
    },
    close() {
      for (const folder of [...watchers.keys()]) drop(folder);
    },
  };
}
