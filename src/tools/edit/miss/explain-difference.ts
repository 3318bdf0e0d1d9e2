// Where lines of a file and the lines that were looked for differ first, and in what.

import { countSharedHead } from "../../../lib/shared-ends.js";
import { toPlainMarks } from "../../../lib/unicode-text.js";
import type { LineList } from "./line-list.js";
import { type AlignRequest, alignInLongLine, alignText } from "./pieces.js";

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
