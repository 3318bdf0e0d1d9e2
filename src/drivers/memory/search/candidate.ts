// A piece of a note that may be a hit, read from the index.

import { readText } from "../../../lib/read-field.js";
import type { Database } from "../index-file/database.js";
import { numberOf, textOf } from "../index-file/row.js";

/** Pieces of one note that are shown. */
export const MAX_PER_NOTE = 2;

export interface Candidate {
  readonly id: number;
  readonly path: string;
  readonly startLine: number;
  /** Where in its first line the piece begins, counted from 1. */
  readonly startChar: number;
  readonly endLine: number;
  readonly heading: string;
  readonly text: string;
  /** The untrusted content behind the note. */
  readonly source: string | undefined;
}

export interface Found {
  readonly id: number;
  /** Larger is better; comparable within one kind of search only. */
  readonly relevance: number;
}

/** undefined for one that was removed since. */
export function readCandidate(database: Database, id: number): Candidate | undefined {
  const row = database
    .statement(
      `SELECT files.path AS path, start_line, start_char, end_line, heading, text, source
       FROM notes.chunks JOIN notes.files ON files.id = chunks.file
       LEFT JOIN notes.tainted ON tainted.path = files.path AND tainted.hash = files.hash
       WHERE chunks.id = ?`,
    )
    .get(id);
  if (row === undefined) return undefined;
  return {
    id,
    path: textOf(row, "path"),
    startLine: numberOf(row, "start_line"),
    startChar: numberOf(row, "start_char"),
    endLine: numberOf(row, "end_line"),
    heading: textOf(row, "heading"),
    text: textOf(row, "text"),
    source: readText(row, "source"),
  };
}
