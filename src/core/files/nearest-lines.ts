// The lines of a text that are most like some wanted lines. Equal lines vote for where the wanted
// ones would begin; lines that share pairs of letters with the longest one are candidates too.

import { toPlainMarks } from "../../lib/plain-marks.js";

const MAX_LINES = 500_000;
const MAX_WANTED_LINES = 200;
const MAX_COMPARED_LINES = 50;
/** Only the beginning of a longer line is compared. */
const MAX_KEY_CHARS = 200;
/** Shorter lines, such as closing brackets, are everywhere. */
const MIN_VOTING_CHARS = 4;
const MAX_VOTES_PER_LINE = 4;
const MAX_STARTS = 50_000;
const MAX_CANDIDATES = 12;
const MAX_ANCHORS = 2;
const MIN_LIKENESS = 0.4;
/** A line that contains the text counts less than one that equals it. */
const PART_SHARE = 0.8;
const MIN_PIECE_CHARS = 8;
const MAX_PIECE_CHARS = 24;
const WHITE_SPACE = /\s+/g;
const BEYOND_ASCII = /[\u0080-\uFFFF]/;
const TABLE_SIZE = 4096;
const MIX = 31;

/** Where the wanted lines would begin, counted from 0, best first; empty when nothing is alike. */
export function findNearestLines(lines: readonly string[], wanted: readonly string[]): number[] {
  const keys = wanted.slice(0, MAX_WANTED_LINES).map(toKey);
  const fileKeys = lines.slice(0, MAX_LINES).map(toKey);
  const voted = listVoted(fileKeys, keys);
  const likenessAt = createLikenessAt(fileKeys, keys);
  const found = [...new Set([...voted, ...listAlike(fileKeys, keys)])]
    .map((start) => ({ start, likeness: likenessAt(start) }))
    .filter(({ start, likeness }) => likeness >= MIN_LIKENESS || voted.includes(start))
    .sort((one, other) => other.likeness - one.likeness || one.start - other.start)
    .map(({ start }) => Math.max(0, start));
  return found.length > 0 ? [...new Set(found)] : findInLongLine(lines, wanted);
}

/** Without white space, letter case and kinds of marks. */
function toKey(line: string): string {
  const head = line.slice(0, 2 * MAX_KEY_CHARS).replace(WHITE_SPACE, "");
  const key = head.slice(0, MAX_KEY_CHARS).toLowerCase();
  return BEYOND_ASCII.test(key) ? toPlainMarks(key) : key;
}

function listVoted(fileKeys: readonly string[], keys: readonly string[]): number[] {
  const places = new Map<string, number[]>();
  for (const [index, key] of keys.entries()) {
    const known = places.get(key) ?? [];
    if (key.length < MIN_VOTING_CHARS || known.length >= MAX_VOTES_PER_LINE) continue;
    places.set(key, [...known, index]);
  }
  const votes = new Map<number, number>();
  for (const [line, key] of fileKeys.entries()) {
    for (const place of places.get(key) ?? []) {
      const count = votes.get(line - place);
      if (count === undefined && votes.size >= MAX_STARTS) continue;
      votes.set(line - place, (count ?? 0) + key.length);
    }
  }
  const sorted = [...votes].sort(([, one], [, other]) => other - one);
  return sorted.slice(0, MAX_CANDIDATES).map(([start]) => start);
}

/** By the longest wanted lines, those that the text does not have first. */
function listAlike(fileKeys: readonly string[], keys: readonly string[]): number[] {
  const known = new Set(fileKeys);
  const anchors = [...keys.entries()]
    .filter(([, key]) => key !== "")
    .sort(
      ([, one], [, other]) =>
        Number(known.has(one)) - Number(known.has(other)) || other.length - one.length,
    )
    .slice(0, MAX_ANCHORS);
  return anchors.flatMap(([place, key]) => {
    const likenessOf = createLikeness(key);
    let best: { line: number; likeness: number }[] = [];
    for (const [line, other] of fileKeys.entries()) {
      if (2 * other.length < key.length) continue;
      const likeness = likenessOf(other);
      const last = best.length < MAX_CANDIDATES ? undefined : best.at(-1);
      if (likeness < MIN_LIKENESS || (last && likeness <= last.likeness)) continue;
      best.push({ line, likeness });
      best = best.sort((one, two) => two.likeness - one.likeness).slice(0, MAX_CANDIDATES);
    }
    return best.map(({ line }) => line - place);
  });
}

/** The likeness of all wanted lines to those from a line on, from 0 to 1; long lines weigh more. */
function createLikenessAt(
  fileKeys: readonly string[],
  keys: readonly string[],
): (start: number) => number {
  const compared = keys.slice(0, MAX_COMPARED_LINES);
  const total = compared.reduce((sum, { length }) => sum + length, 0);
  const measures = compared.map((key) => ({ likenessOf: createLikeness(key), length: key.length }));
  return (start) => {
    let sum = 0;
    for (const [index, { likenessOf, length }] of measures.entries()) {
      sum += length * likenessOf(fileKeys[start + index] ?? "");
    }
    return total === 0 ? 0 : sum / total;
  };
}

/** By the pairs of letters that both have. */
function createLikeness(key: string): (other: string) => number {
  const table = new Uint8Array(TABLE_SIZE);
  for (let index = 0; index < key.length; index++) table[pairAt(key, index)] = 1;
  return (other) => {
    let pairs = 0;
    for (let index = 0; index < other.length; index++) pairs += table[pairAt(other, index)] ?? 0;
    const shared = Math.min(pairs, key.length);
    const whole = shared / Math.max(key.length, other.length, 1);
    return key === "" ? whole : Math.max(whole, (PART_SHARE * shared) / key.length);
  };
}

/** A letter with the one before it. */
function pairAt(key: string, index: number): number {
  const before = index === 0 ? 0 : key.charCodeAt(index - 1);
  return (before * MIX + key.charCodeAt(index)) & (TABLE_SIZE - 1);
}

/** The first long line that has the beginning, the middle or the end of the longest wanted line. */
function findInLongLine(lines: readonly string[], wanted: readonly string[]): number[] {
  const longest = wanted.reduce((best, text) => (text.length > best.length ? text : best), "");
  const text = longest.trim();
  if (text.length < MIN_PIECE_CHARS) return [];
  const chars = Math.min(MAX_PIECE_CHARS, Math.max(MIN_PIECE_CHARS, Math.floor(text.length / 3)));
  const pieces = [0, 0.5, 1].map((share) => {
    const from = Math.round(share * (text.length - chars));
    return text.slice(from, from + chars);
  });
  const line = lines.findIndex(
    (own) => own.length > MAX_KEY_CHARS && pieces.some((piece) => own.includes(piece)),
  );
  return line === -1 ? [] : [Math.max(0, line - wanted.indexOf(longest))];
}
