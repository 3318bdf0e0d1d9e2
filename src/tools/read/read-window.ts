// The text from a line, and from a place in it, on: enough for one page. Only what is before it
// is scanned, and nothing behind it is read.

import { isAscii } from "node:buffer";
import { abortError, ToolInputError } from "../../core/index.js";
import { judgeBlock } from "../../lib/encoding/judge-block.js";
import { BLOCK_BYTES, type TextFinding } from "../../lib/encoding/judge-head.js";
import type { Encoding } from "../../lib/encoding/not-text.js";
import { createTextStream, type TextStream } from "../../lib/encoding/text-stream.js";
import { toPrintable } from "../../lib/printable.js";
import { MAX_LINES, MAX_TEXT_BYTES } from "./limits.js";
import type { ByteSource, Part } from "./open-file.js";

const HIGH_SURROGATE = /[\uD800-\uDBFF]$/;
const LOW_SURROGATE = /^[\uDC00-\uDFFF]/;
const LINE_END = /^\r?\n/;
/** A multiple of BLOCK_BYTES, so that blocks lie in a part as they lie in the file. */
const SCAN_BYTES = 16 * BLOCK_BYTES;
/** More than a page shows, carriage returns included: what fills it needs no more text. */
const WINDOW_BYTES = MAX_TEXT_BYTES + MAX_LINES + 2;

interface WindowRequest {
  readonly source: ByteSource;
  readonly head: Part;
  readonly finding: TextFinding;
  readonly offset: number;
  readonly cursor: number;
  readonly path: string;
  readonly signal: AbortSignal;
}

export interface TextWindow {
  readonly text: string;
  /** `text` reaches the end of the file. */
  readonly isEnd: boolean;
  readonly encoding: Encoding;
  /** Every character of `text` is one byte. */
  readonly isAscii: boolean;
  readonly start: number | undefined;
  readonly totalBytes: number;
}

export async function readWindow(request: WindowRequest): Promise<TextWindow> {
  const { finding } = request;
  const judge = createJudge(finding.encoding);
  const find = lineFeedFinder(finding.encoding);
  const at = await findLine(request, { judge, find });
  const collected = await collect(request, { judge, at });
  const start = request.cursor === 0 ? at.part.position + at.index : undefined;
  const { encoding } = judge;
  return { ...collected, start, encoding: encoding ?? "utf-8", isAscii: encoding === undefined };
}

interface Judge {
  readonly encoding: Encoding | undefined;
  see(part: Part): void;
}

function createJudge(known: Encoding | undefined): Judge {
  let encoding = known;
  return {
    get encoding() {
      return encoding;
    },
    see({ bytes, isLast }) {
      if (encoding !== undefined || isAscii(bytes)) return;
      for (let start = 0; start < bytes.length; start += BLOCK_BYTES) {
        const block = bytes.subarray(start, start + BLOCK_BYTES);
        if (isAscii(block)) continue;
        const isLastBlock = isLast && start + BLOCK_BYTES >= bytes.length;
        // Bytes that are not text behind text that was: shown as such, or named, by anyone who pages.
        encoding = judgeBlock({ bytes: block, isLast: isLastBlock }) ?? "utf-8";
        return;
      }
    },
  };
}

interface Place {
  readonly part: Part;
  readonly index: number;
}

async function findLine(
  { source, head, finding, offset, path, signal }: WindowRequest,
  { judge, find }: { judge: Judge; find: FindLineFeed },
): Promise<Place> {
  let part = head;
  let index = finding.markBytes;
  let line = 1;
  // Whether the last line seen has a line feed, or there was none at all.
  let isEnded = true;
  for (;;) {
    judge.see(part);
    const skipped = skipLines({ bytes: part.bytes, from: index, maxLines: offset - line, find });
    line += skipped.lines;
    isEnded = skipped.index === part.bytes.length && (skipped.lines > 0 || isEnded);
    if (line === offset && !isEnded) return { part, index: skipped.index };
    if (part.isLast) {
      if (line === 1 && isEnded) return { part, index: skipped.index };
      throw offsetPastEnd({ path, offset, totalLines: isEnded ? line - 1 : line });
    }
    if (signal.aborted) throw abortError(signal);
    part = await source.read(endOf(part), SCAN_BYTES);
    index = 0;
  }
}

async function collect(
  request: WindowRequest,
  { judge, at }: { judge: Judge; at: Place },
): Promise<Pick<TextWindow, "text" | "isEnd" | "totalBytes">> {
  const { source, signal } = request;
  const skip = createCursorSkip(request);
  const texts: string[] = [];
  let stream: TextStream | undefined;
  let left = WINDOW_BYTES;
  let { part, index } = at;
  for (;;) {
    judge.see(part);
    if (judge.encoding !== undefined) stream ??= createTextStream(judge.encoding);
    while (left > 0 && index < part.bytes.length) {
      const end = nextBlock(part, index);
      const piece = part.bytes.subarray(index, end);
      const text = skip.pass(stream ? stream.push(piece) : piece.toString("latin1"));
      texts.push(text);
      left -= stream ? Buffer.byteLength(text) : text.length;
      index = end;
    }
    const isEnd = part.isLast && index === part.bytes.length;
    if (isEnd) texts.push(skip.pass(stream?.end() ?? ""));
    if (isEnd) skip.end();
    if (isEnd || left <= 0) {
      const totalBytes = isEnd ? endOf(part) : Math.max(source.size, endOf(part));
      return { text: texts.join(""), isEnd, totalBytes };
    }
    if (signal.aborted) throw abortError(signal);
    const isFar = left === WINDOW_BYTES;
    part = await source.read(endOf(part), isFar ? SCAN_BYTES : BLOCK_BYTES);
    index = 0;
  }
}

function endOf({ position, bytes }: Part): number {
  return position + bytes.length;
}

/** Pieces end where blocks do, so that a line is decoded alike for each of its pages. */
function nextBlock({ bytes, position }: Part, index: number): number {
  const place = position + index;
  return Math.min(bytes.length, index + BLOCK_BYTES - (place % BLOCK_BYTES));
}

interface CursorSkip {
  pass(text: string): string;
  end(): void;
}

function createCursorSkip(wish: {
  readonly path: string;
  readonly offset: number;
  readonly cursor: number;
}): CursorSkip {
  const { cursor } = wish;
  let left = cursor;
  let isReached = cursor === 0;
  const pastEnd = (lineChars: number) => cursorPastEnd({ ...wish, lineChars });

  return {
    pass(text) {
      if (isReached || text === "") return text;
      const feed = text.indexOf("\n");
      if (feed !== -1 && feed < left) {
        const hasReturn = text[feed - 1] === "\r";
        throw pastEnd(cursor - left + feed - (hasReturn ? 1 : 0));
      }
      if (text.length <= left) {
        left -= text.length;
        return "";
      }
      const rest = text.slice(left);
      if (LINE_END.test(rest)) throw pastEnd(text[left - 1] === "\r" ? cursor - 1 : cursor);
      if (HIGH_SURROGATE.test(text.slice(0, left)) && LOW_SURROGATE.test(rest)) {
        throw cursorInsideCharacter(cursor);
      }
      isReached = true;
      return rest;
    },
    end() {
      if (!isReached) throw pastEnd(cursor - left);
    },
  };
}

function offsetPastEnd(past: {
  readonly path: string;
  readonly offset: number;
  readonly totalLines: number;
}): ToolInputError {
  const { path, offset, totalLines } = past;
  const lines = totalLines === 1 ? "1 line" : `${totalLines} lines`;
  return new ToolInputError(
    `offset ${offset} is past the end of "${toPrintable(path)}", which has ${lines}; use an offset from 1 to ${totalLines}.`,
    { reason: "offset_past_end", details: { totalLines } },
  );
}

function cursorPastEnd(past: {
  readonly path: string;
  readonly offset: number;
  readonly cursor: number;
  readonly lineChars: number;
}): ToolInputError {
  const { path, offset, cursor, lineChars } = past;
  return new ToolInputError(
    `cursor ${cursor} is past the end of line ${offset} of "${toPrintable(path)}", which has ${lineChars} characters; use a smaller cursor, or offset=${offset + 1} for the next line.`,
    { reason: "cursor_past_end", details: { lineChars } },
  );
}

function cursorInsideCharacter(cursor: number): ToolInputError {
  return new ToolInputError(
    `cursor ${cursor} is inside of a character that counts as two; use cursor=${cursor - 1} or cursor=${cursor + 1}.`,
    { reason: "cursor_inside_character" },
  );
}

const LINE_FEED = 0x0a;

type FindLineFeed = (bytes: Buffer, from: number) => number;

function lineFeedFinder(encoding: Encoding | undefined): FindLineFeed {
  if (encoding === "utf-16le") return (bytes, from) => behindUnit({ bytes, from, highAt: 1 });
  if (encoding === "utf-16be") return (bytes, from) => behindUnit({ bytes, from, highAt: 0 });
  return (bytes, from) => bytes.indexOf(LINE_FEED, from) + 1 || -1;
}

interface SkippedLines {
  readonly lines: number;
  readonly index: number;
}

interface LinesToSkip {
  readonly bytes: Buffer;
  readonly from: number;
  readonly maxLines: number;
  readonly find: FindLineFeed;
}

function skipLines({ bytes, from, maxLines, find }: LinesToSkip): SkippedLines {
  let lines = 0;
  let index = from;
  while (lines < maxLines) {
    const next = find(bytes, index);
    if (next === -1) break;
    index = next;
    lines++;
  }
  return { lines, index };
}

interface UnitSearch {
  readonly bytes: Buffer;
  /** Even, as every block begins at an even place of the file. */
  readonly from: number;
  /** Where in the two bytes of a line feed the zero is. */
  readonly highAt: 0 | 1;
}

function behindUnit({ bytes, from, highAt }: UnitSearch): number {
  let index = bytes.indexOf(LINE_FEED, from);
  while (index !== -1) {
    const start = index - (index % 2);
    const isWhole = index - start === 1 - highAt && bytes[start + highAt] === 0;
    if (isWhole) return start + 2;
    index = bytes.indexOf(LINE_FEED, index + 1);
  }
  return -1;
}
