// The body of `*** Update File`: hunks of context, removed and added lines.

import {
  beginsWithStars,
  type PatchCursor,
  patchInvalid,
  readMarker,
  showLine,
} from "./patch-lines.js";

const HUNK_MARK = "@@";
export const NO_LINE_END = "\\ No newline at end of file";

export interface HunkLine {
  readonly mark: " " | "-" | "+";
  readonly text: string;
  readonly line: number;
  readonly isBare: boolean;
}

/** A line that a hunk is somewhere behind. */
export interface Anchor {
  readonly text: string;
  readonly line: number;
}

export interface Hunk {
  readonly number: number;
  readonly line: number;
  readonly anchors: readonly Anchor[];
  readonly lines: readonly HunkLine[];
  readonly isAtEnd: boolean;
}

/** The lines that the file must have. */
export function toWanted(lines: readonly HunkLine[]): string[] {
  return lines.filter(({ mark }) => mark !== "+").map(({ text }) => text);
}

export function readHunks(cursor: PatchCursor): Hunk[] {
  skipFileNames(cursor);
  const hunks: Hunk[] = [];
  for (;;) {
    while (!cursor.isDone && cursor.text.trim() === "") cursor.advance();
    if (cursor.isDone || beginsWithStars(cursor.text)) return hunks;
    hunks.push(readHunk(cursor, hunks.length + 1));
  }
}

function readHunk(cursor: PatchCursor, number: number): Hunk {
  const line = cursor.number;
  const isMarked = cursor.text.startsWith(HUNK_MARK);
  if (number > 1 && !isMarked) {
    throw patchInvalid(
      line,
      `begins another hunk and must be "@@" or "@@ " and a line of the file, not "${showLine(cursor.text)}".`,
    );
  }
  const anchors = readAnchors(cursor);
  const lines: HunkLine[] = [];
  while (!cursor.isDone && !cursor.text.startsWith(HUNK_MARK) && !beginsWithStars(cursor.text)) {
    if (cursor.text !== NO_LINE_END) lines.push(readLine(cursor));
    cursor.advance();
  }
  const isAtEnd = readMarker(cursor.text)?.kind === "endOfFile";
  if (lines.length === 0) {
    throw patchInvalid(
      line,
      'begins a hunk without lines; each line of a hunk begins with " ", "-" or "+".',
    );
  }
  if (isAtEnd) cursor.advance();
  return { number, line, anchors, lines: withoutGap(lines), isAtEnd };
}

function readLine(cursor: PatchCursor): HunkLine {
  const { text, number: line } = cursor;
  const mark = text[0];
  if (mark === " " || mark === "-" || mark === "+") {
    return { mark, text: text.slice(1), line, isBare: false };
  }
  return { mark: " ", text, line, isBare: true };
}

/** Blank lines at the end of a hunk that only adds separate it from what follows. */
function withoutGap(lines: readonly HunkLine[]): readonly HunkLine[] {
  const last = lines.findLastIndex(({ isBare, text }) => !isBare || text !== "");
  const kept = lines.slice(0, last + 1);
  return kept.every(({ mark }) => mark === "+") ? kept : lines;
}

function readAnchors(cursor: PatchCursor): Anchor[] {
  const anchors: Anchor[] = [];
  for (; cursor.text.startsWith(HUNK_MARK); cursor.advance()) {
    const given = cursor.text.slice(HUNK_MARK.length);
    const text = given.startsWith(" ") ? given.slice(1) : given;
    if (text.trim() !== "" && !isRange(text)) anchors.push({ text, line: cursor.number });
  }
  return anchors;
}

function isRange(text: string): boolean {
  return /^-[\d,]+ \+[\d,]+(?: @@(?: .*)?)?$/.test(text.trim());
}

function skipFileNames(cursor: PatchCursor): void {
  const [before = "", after = "", hunk = ""] = [0, 1, 2].map((next) => cursor.ahead(next));
  const isPair =
    /^--- (?:[ab]\/|\/dev\/null)/.test(before) && /^\+\+\+ (?:[ab]\/|\/dev\/null)/.test(after);
  if (isPair && hunk.startsWith(HUNK_MARK)) cursor.advance(2);
}

export function skipAddedHead(cursor: PatchCursor): void {
  skipFileNames(cursor);
  const { text } = cursor;
  const rest = text.slice(HUNK_MARK.length).trim();
  if (text.startsWith(HUNK_MARK) && (rest === "" || isRange(rest))) cursor.advance();
}
