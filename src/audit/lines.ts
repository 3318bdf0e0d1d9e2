// The lines of an audit file, from its beginning or from its end, in bounded memory.
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { isSequence, type Link, type RowBody, readRow } from "./row.js";

const BLOCK_BYTES = 64 * 1024;
const MAX_LINE_BYTES = 256 * 1024;
const LINE_FEED = 10;

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface FileLine extends Span {
  readonly bytes: Buffer | undefined;
  readonly isEnded: boolean;
}

/** Oldest first. An empty line counts as one. */
export async function* readForward(file: FileHandle, sizeBytes: number): AsyncIterable<FileLine> {
  let parts: Buffer[] = [];
  let start = 0;
  for await (const { block, at } of readBlocks(file, { start: 0, end: sizeBytes })) {
    let from = 0;
    for (let feed = block.indexOf(LINE_FEED); feed >= 0; feed = block.indexOf(LINE_FEED, from)) {
      yield toLine([...parts, block.subarray(from, feed)], {
        start,
        end: at + feed,
        isEnded: true,
      });
      parts = [];
      from = feed + 1;
      start = at + from;
    }
    const rest = block.subarray(from);
    if (rest.length > 0 && at + block.length - start <= MAX_LINE_BYTES) parts.push(rest);
  }
  if (start < sizeBytes) yield toLine(parts, { start, end: sizeBytes, isEnded: false });
}

/** Newest first. */
export async function* readBackward(file: FileHandle, sizeBytes: number): AsyncIterable<FileLine> {
  let position = sizeBytes;
  let rest: Buffer = Buffer.alloc(0);
  let end = sizeBytes;
  let isEnded = false;
  while (position > 0) {
    const start = Math.max(0, position - BLOCK_BYTES);
    const block = await readExactly(file, { start, end: position });
    let to = block.length;
    for (let feed = block.lastIndexOf(LINE_FEED); feed >= 0; ) {
      const bytes = Buffer.concat([block.subarray(feed + 1, to), rest]);
      const lineStart = start + feed + 1;
      if (isEnded || lineStart < end) yield toLine([bytes], { start: lineStart, end, isEnded });
      rest = Buffer.alloc(0);
      isEnded = true;
      end = start + feed;
      to = feed;
      feed = feed === 0 ? -1 : block.lastIndexOf(LINE_FEED, feed - 1);
    }
    if (end - start <= MAX_LINE_BYTES) rest = Buffer.concat([block.subarray(0, to), rest]);
    position = start;
  }
  if (sizeBytes > 0 && (isEnded || end > 0)) yield toLine([rest], { start: 0, end, isEnded });
}

export async function hashSpan(file: FileHandle, span: Span): Promise<string> {
  const hash = createHash("sha256");
  for await (const { block } of readBlocks(file, span)) hash.update(block);
  return hash.digest("hex");
}

function toLine(
  parts: readonly Buffer[],
  { start, end, isEnded }: Span & Pick<FileLine, "isEnded">,
): FileLine {
  const bytes = end - start > MAX_LINE_BYTES ? undefined : Buffer.concat(parts);
  return { start, end, isEnded, bytes };
}

async function* readBlocks(
  file: FileHandle,
  { start, end }: Span,
): AsyncIterable<{ readonly block: Buffer; readonly at: number }> {
  for (let at = start; at < end; at += BLOCK_BYTES) {
    yield {
      block: await readExactly(file, { start: at, end: Math.min(end, at + BLOCK_BYTES) }),
      at,
    };
  }
}

async function readExactly(file: FileHandle, { start, end }: Span): Promise<Buffer> {
  const block = Buffer.alloc(end - start);
  let filled = 0;
  while (filled < block.length) {
    const { bytesRead } = await file.read(block, filled, block.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return block.subarray(0, filled);
}

const MAX_LOOK_BACK_ROWS = 200;

interface TornEnd {
  readonly bytes: number;
  readonly sha256: string;
}

export interface FileEnd {
  readonly last: Link | undefined;
  readonly torn: TornEnd | undefined;
  readonly endsWithLineFeed: boolean;
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
  readonly oldestFile: number;
}

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
