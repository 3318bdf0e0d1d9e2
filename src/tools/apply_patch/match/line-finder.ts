// Finds runs of lines in a file. The file is read once for each likeness that is needed, and only
// the lines that someone looks for are remembered, so that many hunks cost little more than one.

import { ToolError } from "../../../core/index.js";
import { toPlainMarks } from "../../../lib/plain-marks.js";
import { MAX_COMPARISONS } from "../limits.js";

const UNWANTED = -1;
/** Of a text that was not announced: it equals no line. */
const UNKNOWN = -2;
/** How far a text is looked for before the whole file is read: most hunks stand near the one before. */
const NEAR_LINES = 4_096;
const MAX_PLACES = 5;

export interface Effort {
  spend(count: number): void;
}

export interface Wish {
  readonly wanted: readonly string[];
  readonly from: number;
  readonly isAtEnd: boolean;
}

export interface Match {
  readonly start: number;
  readonly likeness: Likeness;
  readonly others: readonly number[];
}

export interface LineFinder {
  find(wish: Wish): Match | undefined;
}

export interface FinderOptions {
  readonly lines: readonly string[];
  readonly wanted: Iterable<string>;
  readonly effort: Effort;
}

interface Index {
  readonly numbers: ReadonlyMap<string, number>;
  readonly ids: Int32Array;
  readonly places: readonly (readonly number[])[];
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
  const indexes = new Map<Likeness, Index>();
  const texts = [...new Set(wanted)];
  const indexOf = (likeness: Likeness): Index => {
    const known = indexes.get(likeness);
    if (known) return known;
    const made = createIndex({ lines, texts, likeness });
    indexes.set(likeness, made);
    return made;
  };
  return {
    find(wish) {
      const near = indexes.size === 0 ? findNear({ lines, wish, effort }) : undefined;
      if (near !== undefined) return { start: near, likeness: EXACT, others: [] };
      for (const likeness of LIKENESSES) {
        const index = indexOf(likeness);
        const ids = wish.wanted.map((text) => index.numbers.get(likeness.fold(text)) ?? UNKNOWN);
        const max = likeness.isLoose ? MAX_PLACES : 1;
        const [start, ...others] = findPlaces({ index, ids, wish, max, effort });
        if (start !== undefined) return { start, likeness, others };
      }
      return undefined;
    },
  };
}

function findNear(search: {
  lines: readonly string[];
  wish: Wish;
  effort: Effort;
}): number | undefined {
  const { lines, wish, effort } = search;
  const { wanted, from, isAtEnd } = wish;
  const last = isAtEnd ? -1 : Math.min(lines.length - wanted.length, from + NEAR_LINES);
  let left = NEAR_LINES + wanted.length;
  for (let start = from; start <= last && left > 0; start++) {
    if (lines[start] !== wanted[0]) continue;
    let count = 1;
    while (count < wanted.length && lines[start + count] === wanted[count]) count++;
    effort.spend(count);
    if (count === wanted.length) return start;
    left -= count;
  }
  return undefined;
}

function createIndex(from: {
  lines: readonly string[];
  texts: readonly string[];
  likeness: Likeness;
}): Index {
  const { lines, texts, likeness } = from;
  const numbers = new Map<string, number>();
  for (const text of texts) {
    const folded = likeness.fold(text);
    if (!numbers.has(folded)) numbers.set(folded, numbers.size);
  }
  const ids = new Int32Array(lines.length).fill(UNWANTED);
  const places: number[][] = Array.from({ length: numbers.size }, () => []);
  for (let line = 0; line < lines.length; line++) {
    const id = numbers.get(likeness.fold(lines[line] ?? ""));
    if (id === undefined) continue;
    ids[line] = id;
    places[id]?.push(line);
  }
  return { numbers, ids, places };
}

interface Search {
  readonly index: Index;
  readonly ids: readonly number[];
  readonly wish: Wish;
  readonly max: number;
  readonly effort: Effort;
}

function findPlaces({ index, ids, wish, max, effort }: Search): number[] {
  const last = index.ids.length - ids.length;
  if (wish.isAtEnd) {
    const fits = last >= wish.from && countEqual({ index, ids, effort }, last) === ids.length;
    return fits ? [last] : [];
  }
  const rarest = findRarest(index, ids);
  const anchors = index.places[ids[rarest] ?? UNKNOWN] ?? [];
  const found: number[] = [];
  for (let at = countBelow(anchors, wish.from + rarest); at < anchors.length; at++) {
    const start = (anchors[at] ?? 0) - rarest;
    if (start > last || found.length === max) break;
    if (countEqual({ index, ids, effort }, start) === ids.length) found.push(start);
  }
  return found;
}

function findRarest({ places }: Index, ids: readonly number[]): number {
  let rarest = 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (const [position, id] of ids.entries()) {
    const count = places[id]?.length ?? 0;
    if (count < fewest) [rarest, fewest] = [position, count];
  }
  return rarest;
}

function countEqual(
  { index, ids, effort }: Pick<Search, "index" | "ids" | "effort">,
  start: number,
): number {
  let count = 0;
  while (count < ids.length && index.ids[start + count] === ids[count]) count++;
  effort.spend(count + 1);
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
