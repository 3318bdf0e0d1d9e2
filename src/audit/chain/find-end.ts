// Where the chain of one file is: its last row, what was not written to its end behind it, and
// which file it is.

import type { FileHandle } from "node:fs/promises";
import { type FileLine, hashSpan, readBackward, readForward } from "./lines.js";
import { isSequence, type Link, type RowBody, readRow } from "./row.js";

/** How far back the row of the head is looked for. */
const MAX_LOOK_BACK_ROWS = 200;

/** Bytes behind the last row that are none. */
export interface TornEnd {
  readonly bytes: number;
  readonly sha256: string;
}

export interface FileEnd {
  readonly last: Link | undefined;
  readonly torn: TornEnd | undefined;
  readonly endsWithLineFeed: boolean;
  /** The hash of the row with the sequence that was asked for; undefined when it is not near the end. */
  readonly hashAt: string | undefined;
}

export async function findEnd(
  file: FileHandle,
  { sizeBytes, sequence }: { readonly sizeBytes: number; readonly sequence: number | undefined },
): Promise<FileEnd> {
  let newest: FileLine | undefined;
  let oldestTorn: FileLine | undefined;
  let last: Link | undefined;
  let hashAt: string | undefined;
  let rows = 0;
  for await (const line of readBackward(file, sizeBytes)) {
    newest ??= line;
    const row = line.bytes && readRow(line.bytes);
    if (row === undefined) {
      if (last === undefined) oldestTorn = line;
      continue;
    }
    last ??= { sequence: row.sequence, hash: row.hash };
    if (row.sequence === sequence) hashAt = row.hash;
    rows += 1;
    if (hashAt !== undefined || sequence === undefined || row.sequence < sequence) break;
    if (rows >= MAX_LOOK_BACK_ROWS) break;
  }
  const span = oldestTorn && newest && { start: oldestTorn.start, end: newest.end };
  return {
    last,
    torn: span && { bytes: span.end - span.start, sha256: await hashSpan(file, span) },
    endsWithLineFeed: newest === undefined || newest.isEnded,
    hashAt,
  };
}

export interface FileBegin {
  readonly file: number;
  /** The oldest file that is kept; those before it were removed. */
  readonly oldestFile: number;
}

/** undefined when the file does not begin as one of ours does. */
export async function readBegin(
  file: FileHandle,
  sizeBytes: number,
): Promise<FileBegin | undefined> {
  for await (const { bytes } of readForward(file, sizeBytes)) {
    const row = bytes && readRow(bytes);
    // What was torn when the file was made, and the row that marks it, stand before its first row.
    if (row !== undefined && row.body.kind !== "torn") return parseBegin(row.body);
  }
  return undefined;
}

export function parseBegin(body: RowBody): FileBegin | undefined {
  const { kind, file, oldestFile } = body;
  if (kind !== "begin" || !isSequence(file) || !isSequence(oldestFile)) return undefined;
  return { file, oldestFile };
}
