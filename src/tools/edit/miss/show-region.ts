// Lines of a file behind their numbers, with a mark under the first difference.

import { mayLookAlike, nameFirstCodePoint, toPrintable } from "../../../lib/printable.js";
import { cutChars } from "../../../lib/unicode-text.js";
import type { Place } from "./explain-difference.js";
import type { LineList } from "./line-list.js";

const MAX_LINE_CHARS = 160;
/** Of a long line so much is shown before the difference. */
const LEAD_CHARS = 60;
const MAX_SAMPLE_CHARS = 16;

export interface ShownLines {
  /** Counted from 0. */
  readonly start: number;
  readonly count: number;
}

/** As many of the lines as there are. */
export function showLines(lines: LineList, { start, count }: ShownLines): string[] {
  const last = Math.min(start + count, lines.count);
  return Array.from({ length: Math.max(0, last - start) }, (_, index) => {
    const { text } = cutLine(lines.lineAt(start + index), 0);
    return `${start + index + 1}: ${text}`;
  });
}

/** The line with the difference, and under it the mark and what stands there on both sides. */
export function showDifference(
  lines: LineList,
  { place, wanted }: { place: Place; wanted: readonly string[] },
): string[] {
  const { line, column, wantedLine, wantedColumn } = place;
  const whole = lines.lineAt(line);
  const { text, offset } = cutLine(whole, column);
  const number = `${line + 1}: `;
  // Tabs stay, so that the mark stands where it should.
  const gap = text.slice(0, column - offset).replace(/[^\t]/g, " ");
  const end = line === lines.count - 1 ? "its end" : "the end of the line";
  const looked = wanted[wantedLine] ?? "";
  const isNamed = mayLookAlike([whole.slice(column), looked.slice(wantedColumn)]);
  const sampleAt = isNamed ? sampleWithName : samplePlain;
  const here = sampleAt(whole, column) ?? end;
  const there = sampleAt(looked, wantedColumn) ?? describeEnd(wanted, wantedLine);
  const said = `column ${column + 1}: the file has ${here}, oldText has ${there}`;
  return [`${number}${text}`, `${" ".repeat(number.length)}${gap}^ ${said}`];
}

function describeEnd(wanted: readonly string[], line: number): string {
  return line === wanted.length - 1 ? "its end" : "the end of a line";
}

/** A part that shows the column; `offset` is what its first character is in the line. */
function cutLine(line: string, column: number): { text: string; offset: number } {
  if (line.length <= MAX_LINE_CHARS) return { text: line, offset: 0 };
  const from = column < MAX_LINE_CHARS - LEAD_CHARS ? 0 : column - LEAD_CHARS;
  const part = cutChars(line.slice(from), MAX_LINE_CHARS);
  const isEnd = from + part.length >= line.length;
  const text = `${from > 0 ? "…" : ""}${part}${isEnd ? "" : "…"}`;
  return { text, offset: from > 0 ? from - 1 : 0 };
}

/** undefined at the end of the line. */
function samplePlain(line: string, column: number): string | undefined {
  const rest = line.slice(column);
  if (rest === "") return undefined;
  const sample = cutChars(rest, MAX_SAMPLE_CHARS);
  return `${toPrintable(JSON.stringify(sample))}${sample.length < rest.length ? "…" : ""}`;
}

/** The same, and which character it begins with. */
function sampleWithName(line: string, column: number): string | undefined {
  const sample = samplePlain(line, column);
  return sample && `${sample} (${nameFirstCodePoint(line.slice(column))})`;
}
