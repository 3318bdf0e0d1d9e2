// The first lines of a text, as many as fit. Line ends are shown as line feeds, whatever they are.

import { cutText } from "../../lib/unicode-text.js";

const CARRIAGE_RETURN = 0x0d;

interface LineRoom {
  readonly maxLines: number;
  readonly maxChars: number;
  readonly maxBytes: number;
}

export interface TakenLines {
  readonly text: string;
  readonly lines: number;
  readonly isAll: boolean;
  readonly takenChars: number;
  readonly cut?: {
    readonly chars: number;
    readonly lineChars: number | undefined;
  };
}

interface LineSource {
  readonly text: string;
  readonly isEnd: boolean;
  readonly isAscii: boolean;
}

export function takeLines(from: LineSource, room: LineRoom): TakenLines {
  const { text, isEnd } = from;
  const { lines, end } = from.isAscii
    ? countFitting(text, { ...room, maxChars: Math.min(room.maxChars, room.maxBytes) })
    : countFittingBytes(text, room);
  if (lines === 0 && text !== "") return cutLine(from, room);
  const isAll = isEnd && end >= text.length;
  // The line end before what is left belongs to the notice.
  const shown = text.slice(0, isAll || lines === 0 ? end : end - lengthOfEnd(text, end));
  return { text: unifyLineEnds(shown), lines, isAll, takenChars: end };
}

interface Fitting {
  readonly lines: number;
  readonly end: number;
}

/** The hot loop of a page: by characters only. */
function countFitting(text: string, { maxLines, maxChars }: LineRoom): Fitting {
  let [lines, end, chars] = [0, 0, 0];
  while (end < text.length && lines < maxLines) {
    const feed = text.indexOf("\n", end);
    const next = feed === -1 ? text.length : feed + 1;
    chars += next - end;
    if (feed > end && text.charCodeAt(feed - 1) === CARRIAGE_RETURN) chars--;
    if (chars > maxChars) break;
    lines++;
    end = next;
  }
  return { lines, end };
}

/** Counting bytes line by line is dear, so that it is done only where there are too many. */
function countFittingBytes(text: string, room: LineRoom): Fitting {
  const fitting = countFitting(text, room);
  if (Buffer.byteLength(text.slice(0, fitting.end)) <= room.maxBytes) return fitting;
  let [lines, end, bytes] = [0, 0, 0];
  while (lines < fitting.lines) {
    const next = text.indexOf("\n", end) + 1 || text.length;
    bytes += Buffer.byteLength(unifyLineEnds(text.slice(end, next)));
    if (bytes > room.maxBytes) break;
    lines++;
    end = next;
  }
  return { lines, end };
}

function cutLine({ text, isEnd }: LineSource, room: LineRoom): TakenLines {
  const feed = text.indexOf("\n");
  const isWhole = feed !== -1 || isEnd;
  const end = feed === -1 ? text.length : feed;
  const line = text.slice(0, feed > 0 && text[feed - 1] === "\r" ? end - 1 : end);
  // Only the length of the cut is used: it would lose the marks of what is not valid.
  const shown = line.slice(0, cutText(line, room).length);
  if (isWhole && shown.length === line.length) {
    const takenChars = end + 1;
    return { text: shown, lines: 1, isAll: isEnd && takenChars >= text.length, takenChars };
  }
  const cut = { chars: shown.length, lineChars: isWhole ? line.length : undefined };
  return { text: shown, lines: 1, isAll: false, takenChars: shown.length, cut };
}

function lengthOfEnd(text: string, index: number): number {
  if (text[index - 1] !== "\n") return 0;
  return text[index - 2] === "\r" ? 2 : 1;
}

function unifyLineEnds(text: string): string {
  return text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
}
