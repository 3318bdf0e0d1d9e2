// What the index knows of each note, kept in memory as long as no one else writes the index.

import { setImmediate } from "node:timers/promises";
import { readNumber } from "../../../lib/read-field.js";
import { numberOf, textOf } from "../../sqlite.js";
import type { Database } from "../index-file/database.js";
import { type ChunkSettings, chunkNote } from "../notes/chunk.js";
import type { NoteContent } from "../notes/read-note.js";
import type { NoteFile } from "../notes/scan.js";
import { canBeMistyped, foldText, listWords, toIndexText } from "../words/near-words.js";

/** A file may change twice within one tick of the clock: such a file is read once more. */
const CLOCK_TICK_MS = 50;

interface KnownFile {
  readonly id: number;
  readonly mtimeMs: number;
  readonly bytes: number;
  readonly inode: number;
  readonly checkedMs: number;
  readonly hash: string;
}

export interface Plan {
  readonly changed: readonly NoteFile[];
  readonly gone: readonly string[];
  readonly stale: number;
  readonly from: ReadonlyMap<string, KnownFile>;
}

export interface KnownFiles {
  read(): ReadonlyMap<string, KnownFile>;
  get(path: string): KnownFile | undefined;
  set(path: string, file: KnownFile): void;
  delete(path: string): void;
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

const PATH_BORDER = /[/._-]+/g;
const CRLF = /\r\n?/g;

interface NoteWrite {
  readonly note: NoteFile;
  readonly content: NoteContent;
  readonly known: KnownFile | undefined;
  readonly checkedMs: number;
}

export interface NoteWriter {
  put(write: NoteWrite): KnownFile;
  remove(path: string): void;
}

export function createNoteWriter(database: Database, settings: ChunkSettings): NoteWriter {
  const sql = (text: string) => database.statement(text);
  const written = new Set<string>();

  /** Words stay when their notes go: the search skips those that no piece has. */
  function putWords(text: string): void {
    for (const word of listWords(foldText(text))) {
      if (written.has(word)) continue;
      written.add(word);
      if (canBeMistyped(word)) sql("INSERT OR IGNORE INTO notes.words VALUES (?)").run(word);
    }
  }

  /** Never by REPLACE: its savepoint writes pending words, which makes the index slow. */
  function putFile({ note, content, known, checkedMs }: NoteWrite, chunkCount: number): number {
    const { path, mtimeMs, bytes, inode } = note;
    const facts = [mtimeMs, bytes, inode, checkedMs, content.hash, chunkCount] as const;
    const warning = content.warning ?? null;
    if (known !== undefined) {
      sql(
        `UPDATE notes.files SET mtime_ms = ?, bytes = ?, inode = ?, checked_ms = ?, hash = ?,
         chunk_count = ?, warning = ? WHERE id = ?`,
      ).run(...facts, warning, known.id);
      return known.id;
    }
    const { lastInsertRowid } = sql(
      `INSERT INTO notes.files
         (mtime_ms, bytes, inode, checked_ms, hash, chunk_count, warning, path)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(...facts, warning, path);
    return Number(lastInsertRowid);
  }

  function removeChunks(file: number): void {
    sql("DELETE FROM notes.fts WHERE rowid IN (SELECT id FROM notes.chunks WHERE file = ?)").run(
      file,
    );
    sql("DELETE FROM notes.chunks WHERE file = ?").run(file);
  }

  return {
    put(write) {
      const { note, content, known, checkedMs } = write;
      const { mtimeMs, bytes, inode } = note;
      const facts = { mtimeMs, bytes, inode, checkedMs, hash: content.hash };
      if (known?.hash === content.hash) {
        sql(
          "UPDATE notes.files SET mtime_ms = ?, bytes = ?, inode = ?, checked_ms = ? WHERE id = ?",
        ).run(mtimeMs, bytes, inode, checkedMs, known.id);
        return { ...facts, id: known.id };
      }
      if (known !== undefined) removeChunks(known.id);
      const { text } = content;
      const chunks = chunkNote(text.includes("\r") ? text.replace(CRLF, "\n") : text, settings);
      const id = putFile(write, chunks.length);
      putWords(`${note.path} ${text}`);
      const pathWords = toIndexText(note.path.replace(PATH_BORDER, " "));
      for (const { startLine, startChar, endLine, heading, text: piece } of chunks) {
        const { lastInsertRowid } = sql(
          `INSERT INTO notes.chunks (file, start_line, start_char, end_line, heading, text)
           VALUES (?, ?, ?, ?, ?, ?)`,
        ).run(id, startLine, startChar, endLine, heading, piece);
        sql("INSERT INTO notes.fts (rowid, heading, path, body) VALUES (?, ?, ?, ?)").run(
          ...[Number(lastInsertRowid), toIndexText(heading), pathWords, toIndexText(piece)],
        );
      }
      return { ...facts, id };
    },
    remove(path) {
      const row = sql("SELECT id FROM notes.files WHERE path = ?").get(path);
      const id = readNumber(row, "id");
      if (id === undefined) return;
      removeChunks(id);
      sql("DELETE FROM notes.files WHERE id = ?").run(id);
    },
  };
}

const PART_MS = 10;

export interface Pace {
  isDue(): boolean;
  pause(): Promise<void>;
}

export function createPace(signal: AbortSignal): Pace {
  let beganMs = performance.now();
  return {
    isDue: () => performance.now() - beganMs >= PART_MS,
    async pause() {
      signal.throwIfAborted();
      await setImmediate();
      signal.throwIfAborted();
      beganMs = performance.now();
    },
  };
}
