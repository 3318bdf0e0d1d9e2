// Puts the pieces of one note into the index, in the place of those it had. Transactions are left to
// the caller.

import { readNumber } from "../../../lib/read-field.js";
import type { Database } from "../index-file/database.js";
import { type ChunkSettings, chunkNote } from "../notes/chunk.js";
import type { NoteContent } from "../notes/read-note.js";
import type { NoteFile } from "../notes/scan.js";
import { foldText, listWords, toIndexText } from "../words/index-text.js";
import { canBeMistyped } from "../words/near-words.js";
import type { KnownFile } from "./known-files.js";

/** A path is words too. */
const PATH_BORDER = /[/._-]+/g;
const CRLF = /\r\n?/g;

export interface NoteWrite {
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

  /**
   * Never by REPLACE: that opens a savepoint, at which the words that wait in memory are written, and
   * an index of small parts is slow to make and to search.
   */
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
