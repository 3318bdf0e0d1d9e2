// Finds runs of lines in a file. The file is read once for each likeness that is needed, and only
// the lines that a hunk looks for are remembered, so that many hunks cost little more than one.

import { ToolError } from "../../../core/index.js";
import { toPlainMarks } from "../../../lib/plain-marks.js";
import { MAX_COMPARISONS } from "../limits.js";

/** How far a text is looked for before the whole file is read: most hunks are near the one before. */
const NEAR_LINES = 4_096;
const MAX_PLACES = 5;

export interface Effort {
  spend(count: number): void;
}

interface Wish {
  readonly wanted: readonly string[];
  readonly from: number;
  readonly isAtEnd?: boolean;
}

export interface Match {
  readonly start: number;
  readonly likeness: Likeness;
  readonly others: readonly number[];
}

export interface LineFinder {
  find(wish: Wish): Match | undefined;
}

interface FinderOptions {
  readonly lines: readonly string[];
  /** All texts that will be looked for. */
  readonly wanted: Iterable<string>;
  readonly effort: Effort;
}

interface Likeness {
  readonly ignores: string;
  /** It says so little that a second place makes it worthless. */
  readonly isLoose: boolean;
  fold(line: string): string;
}

const EXACT: Likeness = { ignores: "", isLoose: false, fold: (line) => line };

const LIKENESSES: readonly Likeness[] = [
  EXACT,
  { ignores: "spaces at line ends", isLoose: false, fold: (line) => line.trimEnd() },
  { ignores: "indentation", isLoose: true, fold: (line) => line.trim() },
  { ignores: "indentation and kinds of punctuation", isLoose: true, fold: foldPunctuation },
];

export function foldPunctuation(line: string): string {
  return toPlainMarks(line.trim());
}

export function createEffort(): Effort {
  let left = MAX_COMPARISONS;
  return {
    spend(count) {
      left -= count;
      if (left >= 0) return;
      throw new ToolError(
        "limit",
        `The hunks fit almost everywhere: more than ${MAX_COMPARISONS} lines had to be compared. Send fewer hunks, with more context.`,
        { reason: "patch_too_costly", details: { max: MAX_COMPARISONS } },
      );
    },
  };
}

export function createLineFinder({ lines, wanted, effort }: FinderOptions): LineFinder {
  const texts = [...new Set(wanted)];
  const indexes = new Map<Likeness, Index>();
  const indexOf = (likeness: Likeness): Index => {
    const index = indexes.get(likeness) ?? createIndex({ lines, texts, likeness });
    indexes.set(likeness, index);
    return index;
  };
  return {
    find(wish) {
      const near = indexes.size === 0 ? findNear(wish, { lines, effort }) : undefined;
      if (near !== undefined) return { start: near, likeness: EXACT, others: [] };
      for (const likeness of LIKENESSES) {
        const { byText, byLine } = indexOf(likeness);
        const sought = wish.wanted.flatMap((text) => byText.get(likeness.fold(text)) ?? []);
        const max = likeness.isLoose ? MAX_PLACES : 1;
        const [start, ...others] = findPlaces(wish, { sought, byLine, max, effort });
        if (start !== undefined) return { start, likeness, others };
      }
      return undefined;
    },
  };
}

/** Exactly, and not far below: without reading the whole file. */
function findNear(
  { wanted, from, isAtEnd }: Wish,
  { lines, effort }: Pick<FinderOptions, "lines" | "effort">,
): number | undefined {
  const last = isAtEnd ? -1 : Math.min(lines.length - wanted.length, from + NEAR_LINES);
  let left = NEAR_LINES + wanted.length;
  for (let start = from; start <= last && left > 0; start++) {
    if (lines[start] !== wanted[0]) continue;
    const count = countEqual(wanted, { lines, start });
    effort.spend(count);
    if (count === wanted.length) return start;
    left -= count;
  }
  return undefined;
}

/** A text that is looked for, with the numbers of all lines that are like it. */
interface SoughtLine {
  readonly places: number[];
}

interface Index {
  readonly byText: ReadonlyMap<string, SoughtLine>;
  /** undefined where a line is like none of the texts. */
  readonly byLine: readonly (SoughtLine | undefined)[];
}

function createIndex(from: {
  lines: readonly string[];
  texts: readonly string[];
  likeness: Likeness;
}): Index {
  const { lines, texts, likeness } = from;
  const byText = new Map<string, SoughtLine>();
  for (const text of texts) byText.set(likeness.fold(text), { places: [] });
  const byLine = lines.map((line, number) => {
    const sought = byText.get(likeness.fold(line));
    sought?.places.push(number);
    return sought;
  });
  return { byText, byLine };
}

interface Search extends Pick<Index, "byLine"> {
  readonly sought: readonly SoughtLine[];
  readonly max: number;
  readonly effort: Effort;
}

function findPlaces({ from, isAtEnd }: Wish, { sought, byLine, max, effort }: Search): number[] {
  const last = byLine.length - sought.length;
  const first = isAtEnd ? Math.max(from, last) : from;
  // Only where the rarest of the lines is can all of them be.
  const rarest = sought.reduce(
    (best, { places }, at) => (places.length < (sought[best]?.places.length ?? 0) ? at : best),
    0,
  );
  const places = sought[rarest]?.places ?? [];
  const found: number[] = [];
  for (let at = countBelow(places, first + rarest); at < places.length; at++) {
    const start = (places[at] ?? 0) - rarest;
    if (start > last || found.length === max) break;
    const count = countEqual(sought, { lines: byLine, start });
    effort.spend(count + 1);
    if (count === sought.length) found.push(start);
  }
  return found;
}

function countEqual<Line>(
  wanted: readonly Line[],
  { lines, start }: { lines: readonly (Line | undefined)[]; start: number },
): number {
  let count = 0;
  while (count < wanted.length && lines[start + count] === wanted[count]) count++;
  return count;
}

function countBelow(places: readonly number[], limit: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
