// The part of a file that is most like lines that were not found, and where it differs first.

import { countSharedHead } from "../../../lib/shared-ends.js";
import { foldPunctuation } from "./likeness.js";

const MAX_WANTED_LINES = 200;
const MAX_PLACES_OF_LINE = 200;
const MAX_LINES_COMPARED = 50_000;
const MAX_LINE_CHARS = 300;
/** Below this share of equal characters two lines are not alike. */
const MIN_LIKENESS = 0.4;

export interface Difference {
  /** In the file, from 1. */
  readonly line: number;
  readonly column: number;
  /** What the file has from there on, and what was wanted. */
  readonly found: string;
  readonly wanted: string;
}

export interface Nearest {
  /** From 0. */
  readonly start: number;
  readonly difference: Difference | undefined;
}

/** undefined when no line is alike. */
export function findNearest(
  lines: readonly string[],
  wanted: readonly string[],
): Nearest | undefined {
  const start = findByEqualLines(lines, wanted) ?? findByLikeLine(lines, wanted);
  if (start === undefined) return undefined;
  return { start: Math.max(0, start), difference: findDifference({ lines, wanted, start }) };
}

/** Where most of the wanted lines stand as they should, one below the other. */
function findByEqualLines(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  const folded = wanted.slice(0, MAX_WANTED_LINES).map(foldPunctuation);
  for (const text of folded) if (text !== "") places.set(text, []);
  for (const [index, line] of lines.entries()) {
    const known = places.get(foldPunctuation(line));
    if (known && known.length < MAX_PLACES_OF_LINE) known.push(index);
  }
  const votes = new Map<number, number>();
  let best: { start: number; count: number } | undefined;
  for (const [position, text] of folded.entries()) {
    for (const place of places.get(text) ?? []) {
      const start = place - position;
      const count = (votes.get(start) ?? 0) + 1;
      votes.set(start, count);
      if (!best || count > best.count) best = { start, count };
    }
  }
  return best?.start;
}

/** Where a line has most characters in common with the first one that says something. */
function findByLikeLine(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const position = wanted.findIndex((line) => line.trim() !== "");
  if (position === -1) return undefined;
  const pattern = toComparable(wanted[position] ?? "");
  let best = { index: -1, likeness: MIN_LIKENESS };
  for (const [index, line] of lines.slice(0, MAX_LINES_COMPARED).entries()) {
    const likeness = likenessOf(toComparable(line), pattern);
    if (likeness > best.likeness) best = { index, likeness };
  }
  return best.index === -1 ? undefined : best.index - position;
}

function toComparable(line: string): string {
  return line.slice(0, MAX_LINE_CHARS).trim();
}

/** The share of characters that both have in common at their beginning and end. */
function likenessOf(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  if (most === 0) return 0;
  let head = 0;
  while (head < most && one[head] === other[head]) head++;
  let tail = 0;
  while (tail < most - head && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  return (head + tail) / Math.max(one.length, other.length);
}

/** Indentation counts only where nothing else differs. */
function findDifference(at: {
  lines: readonly string[];
  wanted: readonly string[];
  start: number;
}): Difference | undefined {
  const { lines, wanted, start } = at;
  const position = wanted.findIndex(
    (text, index) => foldPunctuation(text) !== foldPunctuation(lines[start + index] ?? ""),
  );
  const line = lines[start + position];
  const text = wanted[position];
  if (line === undefined || text === undefined) return undefined;
  const [found, sought] = [line.trimStart(), text.trimStart()];
  const shared = countSharedHead(found, sought);
  return {
    line: start + position + 1,
    column: line.length - found.length + shared + 1,
    found: found.slice(shared),
    wanted: sought.slice(shared),
  };
}
