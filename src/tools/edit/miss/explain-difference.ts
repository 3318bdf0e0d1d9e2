// Where lines of a file and the lines that were looked for differ first, and in what.

import { countSharedHead } from "../../../lib/shared-ends.js";
import { toPlainMarks } from "../view/loose-form.js";
import type { LineList } from "./line-list.js";

const MAX_COMPARED_LINES = 200;
const MAX_LINE_CHARS = 2_000;
/** By so much of its beginning a text is looked for in a longer line. */
const PIECE_CHARS = 24;
/** So many more lines of the file are looked at when line breaks may be elsewhere. */
const SPARE_LINES = 10;
/** A text that is this much shorter than its line is a part of it. */
const MIN_WHOLE_SHARE = 0.7;

/** In what two texts differ when they are the same otherwise; "text" when nothing explains it. */
export type DifferenceKind = "indentation" | "letter_case" | "white_space" | "line_breaks" | "text";

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
  ["white_space", (text) => text.replace(/[^\S\n]+/g, "")],
  ["line_breaks", (text) => text.replace(/\s+/g, "")],
];

export function findDifferenceKind({ lines, start, wanted }: Comparison): DifferenceKind {
  if (wanted.length > MAX_COMPARED_LINES) return "text";
  const text = joinLines(wanted);
  const region = (count: number) =>
    joinLines(Array.from({ length: count }, (_, index) => lines.lineAt(start + index)));
  const found = REDUCTIONS.find(([kind, reduce]) => {
    const count = wanted.length + (kind === "line_breaks" ? SPARE_LINES : 0);
    return reduce(region(count)).includes(reduce(text));
  });
  return found?.[0] ?? "text";
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => toPlainMarks(line.slice(0, MAX_LINE_CHARS)).trimEnd()).join("\n");
}

/** undefined when all lines that are compared are the same. */
export function findFirstDifference({ lines, start, wanted }: Comparison): Place | undefined {
  for (const [index, whole] of wanted.slice(0, MAX_COMPARED_LINES).entries()) {
    const line = start + index;
    if (line >= lines.count) return endOfFile({ lines, start, wanted });
    const text = toPlainMarks(whole.slice(0, MAX_LINE_CHARS)).trimEnd();
    const offset = index === 0 ? findOffset(lines.lineAt(line), text) : 0;
    const rest = lines.lineAt(line).slice(offset, offset + MAX_LINE_CHARS);
    const plain = toPlainMarks(rest).trimEnd();
    const shared = countSharedHead(plain, text);
    const isLast = index === wanted.length - 1;
    if (shared === text.length && (isLast || shared === plain.length)) continue;
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
function findOffset(line: string, text: string): number {
  if (toPlainMarks(line).trimEnd().endsWith(text)) return line.trimEnd().length - text.length;
  if (text.length >= line.length * MIN_WHOLE_SHARE) return 0;
  if (line.length > MAX_LINE_CHARS) return Math.max(0, line.indexOf(text.slice(0, PIECE_CHARS)));
  const plain = toPlainMarks(line);
  let best = { offset: 0, shared: 0 };
  for (let offset = 0; offset < plain.length; offset++) {
    const shared = countSharedHead(plain.slice(offset, offset + text.length), text);
    if (shared > best.shared) best = { offset, shared };
  }
  return best.offset;
}
