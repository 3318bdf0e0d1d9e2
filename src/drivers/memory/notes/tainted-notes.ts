// Marks the notes that were written by a run which had read untrusted content. A mark belongs to one
// content of a note: once anything changes the note, the mark no longer applies.

import { statSync } from "node:fs";
import type { Database } from "../index-file/database.js";
import { textOf } from "../index-file/row.js";
import { readNote } from "./read-note.js";
import type { NoteList } from "./scan.js";

/** File times come from a coarser clock than the time of a call. */
const CLOCK_SLACK_MS = 10;

export interface TaintedNote {
  readonly path: string;
  readonly hash: string;
}

/** The status time, because a command can set the time of the last change to any value. */
export function listChanged({ notes, within }: NoteList, sinceMs: number): TaintedNote[] {
  return notes.flatMap(({ path, file }) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined || stat.ctimeMs < sinceMs - CLOCK_SLACK_MS) return [];
    const reading = readNote({ path, file, within });
    return reading.kind === "content" ? [{ path, hash: reading.content.hash }] : [];
  });
}

export function writeTainted(
  writer: Database,
  { notes, source }: { readonly notes: readonly TaintedNote[]; readonly source: string },
): void {
  const statement = writer.statement("INSERT OR REPLACE INTO notes.tainted VALUES (?, ?, ?)");
  for (const { path, hash } of notes) statement.run(path, hash, source);
}

/** Without a hash, of any content the note had. */
export function readTainted(
  reader: Database,
  { path, hash }: { readonly path: string; readonly hash?: string | undefined },
): string | undefined {
  const row = reader
    .statement("SELECT source FROM notes.tainted WHERE path = ? AND hash = coalesce(?, hash)")
    .get(path, hash ?? null);
  return row === undefined ? undefined : textOf(row, "source");
}
