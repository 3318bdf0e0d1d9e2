// The lines of a file that are most like a text that was not found, to show what is really there.

import { cutChars } from "../../lib/unicode-text.js";

const MAX_LINES_COMPARED = 50_000;
const MAX_LINE_CHARS = 300;
const MAX_SHOWN_LINES = 12;
const MAX_SHOWN_CHARS = 800;
/** Below this share of equal characters two lines are not alike. */
const MIN_LIKENESS = 0.4;

export interface NearestLines {
  /** Counted from 1. */
  readonly line: number;
  /** Each line as it is, behind its number. */
  readonly shown: string;
}

/** `text` and `wanted` have line feeds only. undefined when no line is alike. */
export function findNearestLines(text: string, wanted: string): NearestLines | undefined {
  const wantedLines = wanted.split("\n");
  const first = wantedLines.findIndex((line) => line.trim() !== "");
  if (first === -1) return undefined;
  const pattern = toComparable(wantedLines[first] ?? "");
  const lines = text.split("\n", MAX_LINES_COMPARED);
  let best = { index: -1, likeness: MIN_LIKENESS };
  for (const [index, line] of lines.entries()) {
    const likeness = likenessOf(toComparable(line), pattern);
    if (likeness > best.likeness) best = { index, likeness };
    if (likeness === 1) break;
  }
  if (best.index === -1) return undefined;
  const count = Math.min(wantedLines.length - first, MAX_SHOWN_LINES);
  return { line: best.index + 1, shown: showLines(lines, { from: best.index, count }) };
}

function toComparable(line: string): string {
  return line.slice(0, MAX_LINE_CHARS).trim();
}

/** The share of characters that both have in common at their beginning and end. */
function likenessOf(one: string, other: string): number {
  const longest = Math.max(one.length, other.length);
  const most = Math.min(one.length, other.length);
  if (most === 0) return 0;
  let head = 0;
  while (head < most && one[head] === other[head]) head++;
  let tail = 0;
  while (tail < most - head && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  return (head + tail) / longest;
}

function showLines(lines: readonly string[], part: { from: number; count: number }): string {
  const { from, count } = part;
  const shown = lines
    .slice(from, from + count)
    .map((line, index) => `${from + index + 1}: ${line.slice(0, MAX_SHOWN_CHARS)}`)
    .join("\n");
  if (shown.length <= MAX_SHOWN_CHARS) return shown;
  return `${cutChars(shown, MAX_SHOWN_CHARS - 1)}…`;
}
