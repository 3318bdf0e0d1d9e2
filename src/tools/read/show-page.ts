// One page of text as a result: the lines that fit, and a notice that says what is shown, of how
// much, and which call continues.

import { type ToolResult, textResult } from "../../core/index.js";
import {
  countInvalid,
  type Encoding,
  MAX_INVALID_SHARE,
  replaceInvalid,
} from "../../lib/encoding/not-text.js";
import { countLines } from "../../lib/line-window.js";
import { toPrintable } from "../../lib/printable.js";
import type { ReadDetails } from "./index.js";
import { MAX_LINES, MAX_TEXT_BYTES } from "./limits.js";
import type { TextWindow } from "./read-window.js";
import { type TakenLines, takeLines } from "./take-lines.js";

const NULS = /\0/g;
/** Longer than every sentence below on place, next call and blanks, with the largest numbers. */
const NOTICE_CHARS = 280;
const INVALID_NOTICE_CHARS = 70;
const MIN_JUDGED_CHARS = 512;
const NO_TEXT = "(Binary data, not shown as text.)";

const LINE_ENDS = {
  crlf: "Line ends are CRLF; edit keeps them, write does not.",
  mixed: "Line ends are CRLF and LF, mixed; edit keeps them, write does not.",
} as const;

interface PageRequest {
  readonly path: string;
  readonly window: TextWindow;
  readonly offset: number;
  readonly cursor: number;
  readonly limit: number | undefined;
  readonly maxChars: number;
  readonly note: string;
  readonly isFromOutside?: boolean;
  readonly details: Pick<ReadDetails, "requestedPath">;
}

interface Page extends PageRequest {
  readonly lineEnds: LineEnds | undefined;
}

type LineEnds = keyof typeof LINE_ENDS;

export function showPage(given: PageRequest): ToolResult<ReadDetails> {
  const request: Page = { ...given, lineEnds: findLineEnds(given.window.text) };
  const { path, window, offset, cursor, lineEnds } = request;
  const page = choosePage(request);
  const next = findNext(request, page);
  const isShown = page.text.length < MIN_JUDGED_CHARS || isText(page.text);
  const invalidSequences = isShown ? countInvalid(page.text) : 0;
  const totalLines = window.isEnd ? offset - 1 + countLines(window.text) : undefined;
  const notices = [
    describePlace(request, { page, next, totalLines }),
    describeBlank(page, offset),
    describeInvalid(invalidSequences, window.encoding),
    ...describeAlways(request),
  ].filter((sentence) => sentence !== "");
  const shown = isShown ? describeText(request, page) : NO_TEXT;
  const isApart = request.isFromOutside === true;
  const result = textResult<ReadDetails>(isApart ? shown : `${shown}${formatNotice(notices)}`, {
    path,
    ...request.details,
    kind: "text",
    encoding: window.encoding,
    ...(lineEnds === undefined ? {} : { lineEnds }),
    offset,
    ...(cursor > 0 ? { cursor } : {}),
    lines: page.lines,
    ...(totalLines === undefined ? {} : { totalLines }),
    totalBytes: window.totalBytes,
    truncated: next !== undefined,
    ...next,
    ...(invalidSequences > 0 ? { invalidSequences } : {}),
  });
  return isApart && notices.length > 0 ? { ...result, notices: [notices.join(" ")] } : result;
}

function choosePage(request: Page): TakenLines {
  const { window, limit, maxChars } = request;
  const always = formatNotice(describeAlways(request));
  const invalid = countInvalid(window.text) > 0 ? INVALID_NOTICE_CHARS : 0;
  const take = (reserve: number) =>
    takeLines(window, {
      maxLines: Math.min(limit ?? MAX_LINES, MAX_LINES),
      // Room for one character at least, or pages would make no progress.
      maxChars: Math.max(2, maxChars - always.length - invalid - reserve),
      maxBytes: MAX_TEXT_BYTES - Buffer.byteLength(always) - invalid - reserve,
    });
  const whole = window.isEnd ? take(0) : undefined;
  return whole?.isAll && !isBlank(whole) ? whole : take(NOTICE_CHARS);
}

interface NextCall {
  readonly nextOffset: number;
  readonly nextCursor?: number;
  readonly nextLimit?: number;
}

function findNext({ offset, cursor, limit }: PageRequest, page: TakenLines): NextCall | undefined {
  const { lines, isAll, cut } = page;
  if (isAll || lines === 0) return undefined;
  if (cut) {
    const nextCursor = cursor + cut.chars;
    return { nextOffset: offset, nextCursor, ...(limit === undefined ? {} : { nextLimit: limit }) };
  }
  const isShort = limit !== undefined && limit > lines;
  return { nextOffset: offset + lines, ...(isShort ? { nextLimit: limit - lines } : {}) };
}

interface Placed {
  readonly page: TakenLines;
  readonly next: NextCall | undefined;
  readonly totalLines: number | undefined;
}

function describePlace(
  { window, offset, cursor }: PageRequest,
  { page, next, totalLines }: Placed,
): string {
  if (!next) return "";
  const of = totalLines === undefined ? "" : ` of ${totalLines}`;
  const call = formatCall(next);
  if (page.cut) {
    const { chars, lineChars } = page.cut;
    const ofChars = lineChars === undefined ? "" : ` of ${cursor + lineChars}`;
    const size = totalLines === undefined ? `; the file has ${window.totalBytes} bytes` : "";
    return `Line ${offset}${of}, characters ${cursor + 1}-${cursor + chars}${ofChars}${size}. ${call}`;
  }
  const upTo = totalLines === undefined ? describeBytes(window, page) : "";
  return `Lines ${offset}-${offset + page.lines - 1}${of}${upTo}. ${call}`;
}

function describeBytes(
  { text, isAscii, start, encoding, totalBytes }: TextWindow,
  { takenChars }: TakenLines,
): string {
  const taken = isAscii ? "" : text.slice(0, takenChars);
  const isKnown = start !== undefined && encoding === "utf-8" && countInvalid(taken) === 0;
  if (!isKnown) return `; the file has ${totalBytes} bytes`;
  const bytes = isAscii ? takenChars : Buffer.byteLength(taken);
  return `, up to byte ${start + bytes} of ${totalBytes}`;
}

function formatCall({ nextOffset, nextCursor, nextLimit }: NextCall): string {
  const cursor = nextCursor === undefined ? "" : `, cursor=${nextCursor}`;
  const limit = nextLimit === undefined ? "" : `, limit=${nextLimit}`;
  return `Continue with offset=${nextOffset}${cursor}${limit}.`;
}

function describeAlways({ window, note, lineEnds }: Page): string[] {
  const encoding =
    window.encoding === "utf-8" ? "" : `Decoded from ${window.encoding.toUpperCase()}.`;
  const ends = lineEnds === undefined ? "" : LINE_ENDS[lineEnds];
  return [encoding, ends, note].filter((sentence) => sentence !== "");
}

/** Of the page and somewhat more: a page shows line feeds only, whatever the file has. */
function findLineEnds(text: string): LineEnds | undefined {
  if (!text.includes("\r\n")) return undefined;
  return /(?:^|[^\r])\n/.test(text) ? "mixed" : "crlf";
}

function describeBlank(page: TakenLines, offset: number): string {
  if (!isBlank(page)) return "";
  const last = offset + page.lines - 1;
  return page.lines === 1 ? `Line ${offset} is blank.` : `Lines ${offset}-${last} are blank.`;
}

function isBlank({ text, lines }: TakenLines): boolean {
  return lines > 0 && !/\S/.test(text);
}

function describeInvalid(count: number, encoding: Encoding): string {
  if (count === 0) return "";
  const places = count === 1 ? "1 place" : `${count} places`;
  return `Not valid ${encoding.toUpperCase()} in ${places}, shown as U+FFFD.`;
}

function formatNotice(sentences: readonly string[]): string {
  return sentences.length === 0 ? "" : `\n\n[${sentences.join(" ")}]`;
}

function describeText({ path, window }: PageRequest, page: TakenLines): string {
  if (page.lines === 0) return `${toPrintable(path)} is empty (${window.totalBytes} bytes).`;
  return replaceInvalid(page.text);
}

function isText(decoded: string): boolean {
  const zeros = decoded.includes("\0") ? (decoded.match(NULS)?.length ?? 0) : 0;
  return countInvalid(decoded) + zeros <= decoded.length * MAX_INVALID_SHARE;
}
