// The lines of an audit file, from its beginning or from its end, in bounded memory.

import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";

const BLOCK_BYTES = 64 * 1024;
/** Every text in a row is bounded; a line above this is none of ours. */
const MAX_LINE_BYTES = 256 * 1024;
const LINE_FEED = 10;

export interface Span {
  readonly start: number;
  /** Behind its last byte. */
  readonly end: number;
}

export interface FileLine extends Span {
  /** Without its line feed; undefined when it is too long to be a row. */
  readonly bytes: Buffer | undefined;
  /** False for a last line without a line feed. */
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
    // Of a line that is too long only its length counts.
    if (rest.length > 0 && at + block.length - start <= MAX_LINE_BYTES) parts.push(rest);
  }
  if (start < sizeBytes) yield toLine(parts, { start, end: sizeBytes, isEnded: false });
}

/** Newest first. */
export async function* readBackward(file: FileHandle, sizeBytes: number): AsyncIterable<FileLine> {
  let position = sizeBytes;
  /** What is read and not given yet: the end of the line that goes on before it. */
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
      // The last line feed starts a line only when bytes follow it.
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

/** SHA-256 of some bytes of a file. */
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

/** Less only when the file has become shorter meanwhile. */
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
