// How lines of a file differ from wanted ones, and where first.

import { countSharedHead } from "../../../lib/diff/shared-ends.js";
import { toPlainMarks } from "../../../lib/plain-marks.js";

const MAX_COMPARED_LINES = 200;
const MAX_LINE_CHARS = 2_000;
/** Shorter parts are in many lines by chance. */
const MIN_PART_CHARS = 3;
const SPARE_LINES = 10;

/** What differs when the texts are the same otherwise; "text" when nothing explains it. */
export type DifferenceKind =
  | "indentation"
  | "letter_case"
  | "unseen_characters"
  | "white_space"
  | "line_breaks"
  | "text";

const REDUCTIONS: readonly (readonly [DifferenceKind, (text: string) => string])[] = [
  ["indentation", (text) => text.replace(/^[^\S\n]+/gm, "")],
  ["letter_case", (text) => text.toLowerCase()],
  ["unseen_characters", (text) => text.replace(/\p{Cf}/gu, "")],
  ["white_space", (text) => text.replace(/[^\S\n]+/g, "")],
  ["line_breaks", (text) => text.replace(/\s+/g, "")],
];

/** Lines and columns count from 0. */
export interface Difference {
  readonly line: number;
  readonly column: number;
  readonly wantedLine: number;
  readonly wantedColumn: number;
}

export interface Comparison {
  readonly lines: readonly string[];
  readonly start: number;
  readonly wanted: readonly string[];
}

export function findDifferenceKind({ lines, start, wanted }: Comparison): DifferenceKind {
  if (wanted.length > MAX_COMPARED_LINES) return "text";
  const tail = tailOf(wanted);
  const text = joinLines(wanted, tail);
  const region = (count: number) => joinLines(lines.slice(start, start + count), tail);
  const found = REDUCTIONS.find(([kind, reduce]) => {
    const count = wanted.length + (kind === "line_breaks" ? SPARE_LINES : 0);
    return reduce(region(count)).includes(reduce(text));
  });
  if (!found) return "text";
  return tail === "" || endsWord(region(wanted.length + SPARE_LINES), text) ? found[0] : "text";
}

/** White space at the end of the last line: it is missing only where the line goes on. */
function tailOf(wanted: readonly string[]): string {
  const last = toPlainMarks((wanted.at(-1) ?? "").slice(0, MAX_LINE_CHARS));
  return last.slice(last.trimEnd().length);
}

function joinLines(lines: readonly string[], tail: string): string {
  return lines.map((line) => toPlainLine(line) + tail).join("\n");
}

function toPlainLine(line: string): string {
  return toPlainMarks(line.slice(0, MAX_LINE_CHARS)).trimEnd();
}

/** Somewhere white space follows the last word of the text, as it does there. */
function endsWord(region: string, text: string): boolean {
  const last = text.toLowerCase().trimEnd().split(/\s+/).at(-1) ?? "";
  const words = region.toLowerCase().split(/\s+/);
  return words.some((word) => word.endsWith(last));
}

export function findFirstDifference({ lines, start, wanted }: Comparison): Difference | undefined {
  for (const [index, whole] of wanted.slice(0, MAX_COMPARED_LINES).entries()) {
    const line = lines[start + index];
    if (line === undefined) return endOfFile({ lines, start, wanted });
    const isLast = index === wanted.length - 1;
    const tail = isLast ? tailOf(wanted) : "";
    const text = toPlainLine(whole) + tail;
    const offset = index === 0 ? findOffset(line, text) : 0;
    const plain = toPlainLine(line.slice(offset));
    const equal = countSharedHead(plain + tail, text);
    if (equal === text.length && (isLast || equal === plain.length)) continue;
    const shared = Math.min(equal, plain.length);
    return {
      line: start + index,
      column: offset + shared,
      wantedLine: index,
      wantedColumn: shared,
    };
  }
  return undefined;
}

function endOfFile({ lines, start, wanted }: Comparison): Difference {
  const line = lines.length - 1;
  const wantedLine = line - start;
  const [column, wantedColumn] = [lines[line], wanted[wantedLine]].map((text = "") => text.length);
  return { line, column: column ?? 0, wantedLine, wantedColumn: wantedColumn ?? 0 };
}

/** Where a text that may be only a part of its line begins: where most of its beginning is. */
function findOffset(line: string, text: string): number {
  const plain = toPlainMarks(line).trimEnd();
  if (plain.endsWith(text)) return plain.length - text.length;
  const indentation = /^\s/.test(text) ? 0 : plain.length - plain.trimStart().length;
  const head = findLongest(text.length, (chars) => plain.indexOf(text.slice(0, chars)));
  const tail = findLongest(text.length, (chars) => plain.indexOf(text.slice(text.length - chars)));
  const offsets = [{ offset: indentation, chars: 0 }];
  if (head.chars >= MIN_PART_CHARS) offsets.push({ offset: head.place, chars: head.chars });
  if (tail.chars >= MIN_PART_CHARS) {
    const offset = Math.max(indentation, tail.place + tail.chars - text.length);
    offsets.push({ offset, chars: tail.chars });
  }
  const sharedAt = (offset: number) => countSharedHead(plain.slice(offset), text);
  const [best] = offsets.sort(
    (one, other) => sharedAt(other.offset) - sharedAt(one.offset) || other.chars - one.chars,
  );
  return best?.offset ?? indentation;
}

/** The longest part that is found; a longer one never is where a shorter one is not. */
function findLongest(
  length: number,
  find: (chars: number) => number,
): { readonly chars: number; readonly place: number } {
  let [chars, end] = [0, length];
  while (chars < end) {
    const middle = Math.ceil((chars + end) / 2);
    if (find(middle) === -1) end = middle - 1;
    else chars = middle;
  }
  return { chars, place: find(chars) };
}
