// Lines of an output by number, as far as they are kept.

import { StringDecoder } from "node:string_decoder";
import type { OutputLines, RunOutput } from "../../../core/index.js";

const READ_BYTES = 64 * 1024;
/** A longer line is cut. */
const MAX_CHARS = 1024 * 1024;
const LOW_HALF = /^[\uDC00-\uDFFF]/;

/** Line feeds before a byte. */
export interface LineMark {
  readonly byte: number;
  readonly line: number;
}

interface KeptBytes {
  readonly endByte: number;
  readonly marks: readonly LineMark[];
  /** The bytes that are not kept. */
  findGap(): { readonly from: number; readonly to: number };
  /** From a kept byte on; may return fewer, and none when they are gone by now. */
  read(from: number, to: number): Promise<Buffer>;
}

type LinesRequest = Parameters<RunOutput["lines"]>[0] & {
  readonly totalLines: number;
  /** Text after the kept bytes. */
  readonly open: string;
};

type FoundLines = Omit<OutputLines, "totalLines" | "totalChars">;

/** At most `limit` lines from the wanted one, or from the first kept one after it. */
export async function readLines(kept: KeptBytes, request: LinesRequest): Promise<FoundLines> {
  const { totalLines, limit, column = 0, open } = request;
  const line = request.offset ?? Math.max(0, totalLines - limit);
  const found = (from: number, text: string) => {
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    return { lines: lines.slice(0, limit), offset: from, lostLines: from - line };
  };
  if (line >= totalLines) return found(line, "");
  const wanted = await readFrom(kept, { line, limit, column, open });
  if (wanted !== undefined) return found(line, wanted);
  const gap = kept.findGap();
  const mark = kept.marks.find((one) => one.byte >= gap.to && one.line >= line);
  if (mark === undefined) return found(line, open);
  // What is kept again probably begins inside a line.
  const next = mark.line + 1;
  return found(next, (await readFrom(kept, { line: next, limit, column: 0, open })) ?? "");
}

interface WantedText {
  readonly line: number;
  readonly limit: number;
  /** Characters of the first line to skip. */
  readonly column: number;
  readonly open: string;
}

/** undefined when the line is not kept. */
async function readFrom(kept: KeptBytes, wanted: WantedText): Promise<string | undefined> {
  const { line, limit, column, open } = wanted;
  const mark = kept.marks.findLast((one) => one.line < line) ?? { byte: 0, line: 0 };
  const gap = kept.findGap();
  const isBeforeGap = mark.byte < gap.from && gap.from < gap.to;
  if (mark.byte >= gap.from && mark.byte < gap.to) return undefined;
  const to = isBeforeGap ? Math.min(gap.from, kept.endByte) : kept.endByte;
  const decoder = new StringDecoder("utf8");
  const skip = createSkip(line - mark.line, column);
  let text = "";
  let at = mark.byte;
  while (at < to && !hasLines(text, limit)) {
    const bytes = await kept.read(at, Math.min(at + READ_BYTES, to));
    if (bytes.length === 0) return undefined;
    at += bytes.length;
    text += skip(decoder.write(bytes));
  }
  if (!hasLines(text, limit) && to === kept.endByte) return text + skip(open);
  const isLong = text.length >= MAX_CHARS;
  // An unfinished last line is left out, unless it is all there is.
  const wholeChars = column > 0 ? text.length : text.lastIndexOf("\n") + 1;
  return text.slice(0, wholeChars > 0 || !isLong ? wholeChars : MAX_CHARS) || undefined;
}

function hasLines(text: string, limit: number): boolean {
  return text.length >= MAX_CHARS || countLineFeeds(text) >= limit;
}

/** Drops that many lines of what it is given, then that many characters of the next one. */
function createSkip(lines: number, column: number): (text: string) => string {
  let [linesLeft, charsLeft] = [lines, column];
  return (text) => {
    let start = 0;
    for (; linesLeft > 0; linesLeft--) {
      const feed = text.indexOf("\n", start);
      if (feed === -1) return "";
      start = feed + 1;
    }
    if (charsLeft <= 0) return text.slice(start);
    const feed = text.indexOf("\n", start);
    const lineEnd = feed === -1 ? text.length : feed;
    const dropped = Math.min(charsLeft, lineEnd - start);
    charsLeft = feed === -1 ? charsLeft - dropped : 0;
    return text.slice(start + dropped).replace(LOW_HALF, "");
  };
}

export function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
