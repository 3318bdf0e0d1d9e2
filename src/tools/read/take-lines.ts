// Some lines of a text, as many as fit. Line ends are shown as line feeds, whatever they are.

import { cutText } from "../../lib/unicode-text.js";

export interface LineRoom {
  /** First line, counted from 1; it exists. */
  readonly offset: number;
  readonly maxLines: number;
  readonly maxChars: number;
  readonly maxBytes: number;
}

export interface LineWindow {
  readonly text: string;
  readonly lines: number;
  readonly reachesEnd: boolean;
  /** The size of the first line when it alone is too long; `text` is then its beginning. */
  readonly cutLineBytes?: number;
}

export function takeLines(text: string, room: LineRoom): LineWindow {
  const shown: string[] = [];
  let chars = 0;
  let bytes = 0;
  let start = startOfLine(text, room.offset);
  while (start < text.length && shown.length < room.maxLines) {
    const { line, next } = lineAt(text, start);
    chars += line.length;
    bytes += Buffer.byteLength(line);
    const isOver = chars > room.maxChars || bytes > room.maxBytes;
    if (isOver && shown.length === 0)
      return cutLine({ line, room, reachesEnd: next >= text.length });
    if (isOver) break;
    shown.push(line);
    start = next;
  }
  const reachesEnd = start >= text.length;
  const whole = shown.join("");
  return { text: reachesEnd ? whole : whole.slice(0, -1), lines: shown.length, reachesEnd };
}

function cutLine(cut: { line: string; room: LineRoom; reachesEnd: boolean }): LineWindow {
  const { line, room, reachesEnd } = cut;
  const bare = line.endsWith("\n") ? line.slice(0, -1) : line;
  const text = cutText(bare, room);
  const isCut = text.length < bare.length;
  const size = isCut ? { cutLineBytes: Buffer.byteLength(bare) } : {};
  return { text, lines: 1, reachesEnd, ...size };
}

function startOfLine(text: string, lineNumber: number): number {
  let start = 0;
  for (let line = 1; line < lineNumber; line++) start = text.indexOf("\n", start) + 1;
  return start;
}

/** The line with its end as one line feed, and where the next begins. */
function lineAt(text: string, start: number): { line: string; next: number } {
  const end = text.indexOf("\n", start);
  if (end === -1) return { line: text.slice(start), next: text.length };
  const isCarriageReturn = text[end - 1] === "\r" && end > start;
  return { line: `${text.slice(start, isCarriageReturn ? end - 1 : end)}\n`, next: end + 1 };
}
