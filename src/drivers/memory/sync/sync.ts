// Brings the index up to date with the notes: in batches, each of which is whole or absent, or as one
// when the index is rebuilt next to readers of the old one.

import { type FSWatcher, watch } from "node:fs";
import { setTimeout as delay, setImmediate } from "node:timers/promises";
import type { MemoryProgress } from "../../../core/index.js";
import { type Database, EMPTY, judgeTrouble, numberOf } from "../index-file/database.js";
import { readMeta, writeMeta } from "../index-file/open-index.js";
import type { ChunkSettings } from "../notes/chunk.js";
import { readNote } from "../notes/read-note.js";
import type { NoteFile, NoteList } from "../notes/scan.js";
import {
  createNoteWriter,
  type KnownFiles,
  makePlan,
  type NoteWriter,
  otherWriter,
  ownMark,
  type Pace,
  type Plan,
} from "./known-files.js";

/** A kill loses at most so much, and readers see no more than that at once. */
const BATCH_NOTES = 2_000;
const BATCH_MS = 500;
/** From this many on, others are reported who is at work. */
const LONG_WORK_NOTES = 50;
const MAX_LOCK_WAIT_MS = 5_000;
const LOCK_RETRY_MS = 20;
const PROGRESS_EVERY = 100;
const BUSY_CODE = 5;
export const WRITER_KEY = "writer";
/** Set when every note has been indexed once. */
const COMPLETE_KEY = "complete";

interface SyncRequest {
  readonly writer: Database;
  readonly known: KnownFiles;
  readonly list: NoteList;
  /** As it was made from the list; made again when another process has written since. */
  readonly plan?: Plan | undefined;
  readonly chunking: ChunkSettings;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** As one transaction, beginning with nothing. */
  readonly isFresh: boolean;
  readonly onProgress: (progress: MemoryProgress) => void;
}

interface SyncOutcome {
  readonly written: number;
  readonly removed: number;
  /** What could not be read, each a sentence. */
  readonly warnings: readonly string[];
}

interface Work extends SyncRequest {
  readonly put: NoteWriter;
  readonly warnings: string[];
}

/** Rejects with what SQLite threw, or the abort; what was committed until then stays. */
export async function syncNotes(request: SyncRequest): Promise<SyncOutcome> {
  const { writer, known, chunking } = request;
  request.signal.throwIfAborted();
  const work: Work = { ...request, put: createNoteWriter(writer, chunking), warnings: [] };
  try {
    const plan = await beginWithPlan(work);
    if (request.isFresh) writer.exec(EMPTY);
    const written = await writeAll(work, plan);
    for (const path of plan.gone) {
      work.put.remove(path);
      known.delete(path);
    }
    writeMeta(writer, { key: WRITER_KEY, value: undefined });
    writeMeta(writer, { key: COMPLETE_KEY, value: "1" });
    writer.commit();
    return { written, removed: plan.gone.length, warnings: work.warnings };
  } catch (error) {
    known.forget();
    throw error;
  } finally {
    writer.rollback();
  }
}

/** Under the lock: another process may have done a part of it while this one waited. */
async function beginWithPlan(work: Work): Promise<Plan> {
  const { writer, known, list, isFresh } = work;
  await beginAlone(work);
  const files = known.read();
  const everything = { changed: list.notes, gone: [], stale: list.notes.length, from: files };
  const current = work.plan?.from === files ? work.plan : makePlan(list.notes, files);
  const plan: Plan = isFresh ? everything : current;
  if (isFresh) known.forget();
  if (!isFresh && plan.changed.length >= LONG_WORK_NOTES) {
    writeMeta(writer, { key: WRITER_KEY, value: ownMark() });
    writer.commit();
    await begin(work);
  }
  return plan;
}

/** Two at once would read every note twice: anyone who comes second waits for the first to end. */
async function beginAlone(work: Work): Promise<void> {
  const { writer, signal } = work;
  const beganMs = performance.now();
  for (;;) {
    await begin(work);
    const other = otherWriter(readMeta(writer, WRITER_KEY));
    if (other === undefined) return;
    writer.rollback();
    if (performance.now() - beganMs > MAX_LOCK_WAIT_MS) throw indexBusy(other);
    await delay(LOCK_RETRY_MS, undefined, { signal });
  }
}

function indexBusy(pid: number): Error {
  return Object.assign(new Error(`Process ${pid} is writing the index.`), {
    sqliteExtendedCode: BUSY_CODE,
  });
}

async function begin({ writer, signal }: Work): Promise<void> {
  const beganMs = performance.now();
  for (;;) {
    try {
      return writer.begin();
    } catch (error) {
      const waitedMs = performance.now() - beganMs;
      if (judgeTrouble(error) !== "busy" || waitedMs > MAX_LOCK_WAIT_MS) throw error;
    }
    await delay(LOCK_RETRY_MS, undefined, { signal });
  }
}

async function writeAll(work: Work, { changed }: Plan): Promise<number> {
  const { writer, list, pace, isFresh, onProgress } = work;
  const total = list.notes.length;
  const before = total - changed.length;
  let written = 0;
  let batchNotes = 0;
  let batchBeganMs = performance.now();
  for (const [index, note] of changed.entries()) {
    if (writeOne(work, note)) written++;
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
  return written;
}

/** False when there was nothing to write. */
function writeOne({ list, known, put, warnings, now, isFresh }: Work, note: NoteFile): boolean {
  const { path, file } = note;
  const checkedMs = now();
  const reading = readNote({ path, file, within: list.within });
  if (reading.kind === "skipped") warnings.push(reading.warning);
  if (reading.kind !== "content") return false;
  const old = isFresh ? undefined : known.get(path);
  const current = put.put({ note, content: reading.content, known: old, checkedMs });
  known.set(path, current);
  return old?.hash !== current.hash;
}

/** How far a first index has come; undefined when there has been a whole one. */
export function readPartial(
  reader: Database,
  total: number,
): { readonly indexed: number; readonly total: number } | undefined {
  if (readMeta(reader, COMPLETE_KEY) !== undefined) return undefined;
  const row = reader.statement("SELECT count(*) AS count FROM notes.files").get();
  return { indexed: numberOf(row, "count"), total };
}

/** Each takes a handle of the system. */
const MAX_FOLDERS = 1_000;
/**
 * What has changed before is known to the system by now, and reported when the event loop looks for it.
 * It looks between any two turns, but the first of them may end a round that looked before.
 */
const TURNS_TO_BE_TOLD = 2;
/** Elsewhere changes are reported some time after they were made. */
const TELLS_AT_ONCE = ["linux"];

interface FolderWatch {
  /** Every folder is watched, and nothing has changed since the last time until the call. */
  isQuiet(): Promise<boolean>;
  /** What was seen until now is known to the caller. */
  reset(): void;
  follow(folders: readonly string[]): void;
  close(): void;
}

export function createFolderWatch(onChange: () => void): FolderWatch {
  const watchers = new Map<string, FSWatcher>();
  let isWhole = false;
  let isDirty = true;

  function noticed(): void {
    isDirty = true;
    onChange();
  }

  function drop(folder: string): void {
    watchers.get(folder)?.close();
    watchers.delete(folder);
    isWhole = false;
  }

  function add(folder: string): boolean {
    if (watchers.has(folder)) return true;
    try {
      const watcher = watch(folder, { persistent: false }, noticed);
      watcher.on("error", () => drop(folder));
      watchers.set(folder, watcher);
      return true;
    } catch {
      // No handle is left, or the folder went away: then changes are looked for by hand.
      return false;
    }
  }

  return {
    async isQuiet() {
      if (!TELLS_AT_ONCE.includes(process.platform)) return false;
      for (let turn = 0; turn < TURNS_TO_BE_TOLD && isWhole && !isDirty; turn++) {
        await setImmediate();
      }
      return isWhole && !isDirty;
    },
    reset() {
      isDirty = false;
    },
    follow(folders) {
      const wanted = new Set(folders.slice(0, MAX_FOLDERS));
      for (const folder of [...watchers.keys()]) if (!wanted.has(folder)) drop(folder);
      const isComplete = folders.length <= MAX_FOLDERS;
      isWhole = [...wanted].map(add).every(Boolean) && isComplete;
    },
    close() {
      for (const folder of [...watchers.keys()]) drop(folder);
    },
  };
}
