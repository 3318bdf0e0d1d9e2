// Where lines of a file and the lines that were looked for differ first, and in what.

import { countSharedHead } from "../../../lib/shared-ends.js";
import { toPlainMarks } from "../../../lib/unicode-text.js";

const MAX_LINES = 500_000;

export interface LineList {
  readonly count: number;
  /** Without its line end; "" past the last line. */
  lineAt(index: number): string;
  /** The first line that has this text in it; undefined when there is none. */
  findLine(text: string): number | undefined;
}

export function listLines(text: string): LineList {
  const starts = [0];
  let end = text.indexOf("\n");
  while (end !== -1 && starts.length < MAX_LINES) {
    starts.push(end + 1);
    end = text.indexOf("\n", end + 1);
  }
  // What follows the last line end is a line only if something is there.
  if (starts.length > 1 && starts.at(-1) === text.length) starts.pop();
  return {
    count: starts.length,
    lineAt(index) {
      const start = starts[index];
      if (start === undefined) return "";
      const feed = text.indexOf("\n", start);
      const line = text.slice(start, feed === -1 ? text.length : feed);
      return line.endsWith("\r") ? line.slice(0, -1) : line;
    },
    findLine(part) {
      const place = text.indexOf(part);
      const next = starts.findIndex((start) => start > place);
      if (place === -1) return undefined;
      return (next === -1 ? starts.length : next) - 1;
    },
  };
}

interface Alignment {
  /** How many characters of the line are before it. */
  readonly offset: number;
  /** Letters to put in, leave out or replace. */
  readonly distance: number;
}

interface AlignRequest {
  readonly line: string;
  readonly text: string;
  /** Whether the part must begin where the line does. */
  readonly from: "anywhere" | "line_start";
  /** Whether it must end where the line does. */
  readonly to: "anywhere" | "line_end";
}

const MIN_PIECE_CHARS = 4;
const MAX_PIECE_CHARS = 24;
const USUAL_PIECE_CHARS = 12;
const MAX_PIECES = 12;
/** So much around the place where the text seems to begin is compared. */
const SPARE_CHARS = 64;

interface Piece {
  readonly text: string;
  /** How many characters of the whole text are before it. */
  readonly offset: number;
}

/** Spread from the beginning to the end; none of a text that is too short for two. */
export function listPieces(text: string): Piece[] {
  if (text.length < 2 * MIN_PIECE_CHARS) return [];
  const count = Math.min(MAX_PIECES, Math.max(2, Math.floor(text.length / USUAL_PIECE_CHARS)));
  const chars = Math.min(MAX_PIECE_CHARS, Math.floor(text.length / count));
  return Array.from({ length: count }, (_, index) => {
    const offset = Math.round((index * (text.length - chars)) / (count - 1));
    return { text: text.slice(offset, offset + chars), offset };
  });
}

/** Where in a long line a text is that is not quite there; undefined when no piece of it does. */
export function alignInLongLine(line: string, text: string): Alignment | undefined {
  const near = findStart(line, text);
  if (near === undefined) return undefined;
  const from = Math.max(0, near - SPARE_CHARS);
  const window = line.slice(from, near + text.length + SPARE_CHARS);
  const { offset, distance } = alignText({ line: window, text, from: "anywhere", to: "anywhere" });
  return { offset: from + offset, distance };
}

/** By a piece that the line has once, else by the first that it has. */
function findStart(line: string, text: string): number | undefined {
  let first: number | undefined;
  for (const piece of listPieces(text)) {
    const place = line.indexOf(piece.text);
    if (place === -1) continue;
    const start = Math.max(0, place - piece.offset);
    if (line.indexOf(piece.text, place + 1) === -1) return start;
    first ??= start;
  }
  return first;
}

/** Of parts that are equally near the first. Takes time in proportion to both lengths multiplied. */
export function alignText({ line, text, from, to }: AlignRequest): Alignment {
  // Row by row of the text: for each end in the line the fewest changes, and where that part begins.
  const ends = Uint32Array.from({ length: line.length + 1 }, (_, end) => end);
  const nothing = new Uint32Array(line.length + 1);
  let [distances, starts] = from === "anywhere" ? [nothing, ends] : [ends, nothing];
  for (let row = 0; row < text.length; row++) {
    const nextDistances = new Uint32Array(line.length + 1);
    const nextStarts = new Uint32Array(line.length + 1);
    const letter = text.charCodeAt(row);
    nextDistances[0] = row + 1;
    for (let end = 1; end <= line.length; end++) {
      const isSame = line.charCodeAt(end - 1) === letter;
      const replaced = (distances[end - 1] ?? 0) + (isSame ? 0 : 1);
      const added = (distances[end] ?? 0) + 1;
      const passed = (nextDistances[end - 1] ?? 0) + 1;
      const best = Math.min(replaced, added, passed);
      nextDistances[end] = best;
      nextStarts[end] = Math.min(
        best === replaced ? (starts[end - 1] ?? 0) : line.length,
        best === added ? (starts[end] ?? 0) : line.length,
        best === passed ? (nextStarts[end - 1] ?? 0) : line.length,
      );
    }
    [distances, starts] = [nextDistances, nextStarts];
  }
  let end = line.length;
  for (let other = line.length; other >= 0 && to === "anywhere"; other--) {
    if ((distances[other] ?? 0) <= (distances[end] ?? 0)) end = other;
  }
  return { offset: starts[end] ?? 0, distance: distances[end] ?? 0 };
}

const MAX_COMPARED_LINES = 200;
const MAX_LINE_CHARS = 2_000;
/** A shorter text is in many lines by chance. */
const MIN_PART_CHARS = 3;
/** Joiners and marks of direction, and the like: no reader sees them. */
const UNSEEN = /\p{Cf}/gu;
/** This many more lines of the file are looked at when line breaks may be elsewhere. */
const SPARE_LINES = 10;

/** A text begins with its line also when so much more of its letters would have to change. */
const WHOLE_LINE_SHARE = 0.1;

/** When more of its letters would have to change, a text is nowhere in a line. */
const MAX_UNLIKE_SHARE = 0.6;

/** In what two texts differ when they are the same otherwise; "text" when nothing explains it. */
export type DifferenceKind =
  | "indentation"
  | "letter_case"
  | "unseen_characters"
  | "white_space"
  | "line_breaks"
  | "text";

export interface Place {
  /** The line of the file, counted from 0, and how many of its characters are before the place. */
  readonly line: number;
  readonly column: number;
  /** The same in the wanted lines. */
  readonly wantedLine: number;
  readonly wantedColumn: number;
}

export interface Comparison {
  readonly lines: LineList;
  /** The first line of the region, counted from 0. */
  readonly start: number;
  readonly wanted: readonly string[];
}

const REDUCTIONS: readonly (readonly [DifferenceKind, (text: string) => string])[] = [
  ["indentation", (text) => text.replace(/^[^\S\n]+/gm, "")],
  ["letter_case", (text) => text.toLowerCase()],
  ["unseen_characters", (text) => text.replace(UNSEEN, "")],
  ["white_space", (text) => text.replace(/[^\S\n]+/g, "")],
  ["line_breaks", (text) => text.replace(/\s+/g, "")],
];

export function findDifferenceKind({ lines, start, wanted }: Comparison): DifferenceKind {
  if (wanted.length > MAX_COMPARED_LINES) return "text";
  const tail = tailOf(wanted);
  const text = joinLines(wanted, tail);
  const region = (count: number) =>
    joinLines(
      Array.from({ length: count }, (_, index) => lines.lineAt(start + index)),
      tail,
    );
  const found = REDUCTIONS.find(([kind, reduce]) => {
    const count = wanted.length + (kind === "line_breaks" ? SPARE_LINES : 0);
    return reduce(region(count)).includes(reduce(text));
  });
  if (!found) return "text";
  const isEnded = tail === "" || endsWord(region(wanted.length + SPARE_LINES), text);
  return isEnded ? found[0] : "text";
}

/** White space at the end of the last line: it is missing only where the line goes on. */
function tailOf(wanted: readonly string[]): string {
  const last = toPlainMarks((wanted.at(-1) ?? "").slice(0, MAX_LINE_CHARS));
  return last.slice(last.trimEnd().length);
}

/** Every line ends with `tail` and no other white space. */
function joinLines(lines: readonly string[], tail: string): string {
  return lines
    .map((line) => toPlainMarks(line.slice(0, MAX_LINE_CHARS)).trimEnd() + tail)
    .join("\n");
}

/** Somewhere white space follows the last word of the text, as it does there. */
function endsWord(region: string, text: string): boolean {
  const last = text.toLowerCase().trimEnd().split(/\s+/).at(-1) ?? "";
  const words = region.toLowerCase().split(/\s+/);
  return words.some((word) => word.endsWith(last));
}

/** undefined when all lines that are compared are the same. */
export function findFirstDifference({ lines, start, wanted }: Comparison): Place | undefined {
  for (const [index, whole] of wanted.slice(0, MAX_COMPARED_LINES).entries()) {
    const line = start + index;
    if (line >= lines.count) return endOfFile({ lines, start, wanted });
    const isLast = index === wanted.length - 1;
    const tail = isLast ? tailOf(wanted) : "";
    const text = toPlainMarks(whole.slice(0, MAX_LINE_CHARS)).trimEnd() + tail;
    const to = isLast ? "anywhere" : "line_end";
    const offset = index === 0 ? findOffset({ line: lines.lineAt(line), text, to }) : 0;
    const rest = lines.lineAt(line).slice(offset, offset + MAX_LINE_CHARS);
    const plain = toPlainMarks(rest).trimEnd();
    const equal = countSharedHead(plain + tail, text);
    if (equal === text.length && (isLast || equal === plain.length)) continue;
    const shared = Math.min(equal, plain.length);
    return { line, column: offset + shared, wantedLine: index, wantedColumn: shared };
  }
  return undefined;
}

/** The file ends where the wanted lines go on. */
function endOfFile({ lines, start, wanted }: Comparison): Place {
  const line = lines.count - 1;
  const wantedLine = line - start;
  const [column, wantedColumn] = [lines.lineAt(line).length, (wanted[wantedLine] ?? "").length];
  return { line, column, wantedLine, wantedColumn };
}

/** Where in its line a text begins that may be only a part of it. */
function findOffset({ line, text, to }: Omit<AlignRequest, "from">): number {
  const plain = toPlainMarks(line).trimEnd();
  if (plain.endsWith(text)) return plain.length - text.length;
  const inside = text.length < MIN_PART_CHARS ? -1 : plain.indexOf(text);
  if (inside !== -1) return inside;
  // A text without indentation does not differ in it: it may begin behind that of the line.
  const first = /^\s/.test(text) ? 0 : plain.length - plain.trimStart().length;
  if (plain.length > MAX_LINE_CHARS) return alignInLongLine(plain, text)?.offset ?? first;
  const whole = alignText({ line: plain.slice(first), text, from: "line_start", to });
  const part = alignText({ line: plain.slice(first), text, from: "anywhere", to });
  const isWhole = whole.distance <= part.distance + text.length * WHOLE_LINE_SHARE;
  const isUnlike = part.distance > text.length * MAX_UNLIKE_SHARE;
  return first + (isWhole || isUnlike ? 0 : part.offset);
}
