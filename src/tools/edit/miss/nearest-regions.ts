// The lines of a file that are most like a text that was not found. Lines that are the same but for
// white space and case vote for where the text would begin; for the longest lines that are nowhere
// the same, the lines most like them do; then the best candidates are compared in full.

import { toPlainMarks } from "../../../lib/unicode-text.js";
import type { LineList } from "./explain-difference.js";
import { alignInLongLine, alignText, listPieces } from "./explain-difference.js";

const MAX_KEY_CHARS = 200;

const WHITE_SPACE = /\s+/g;

const BEYOND_ASCII = /[\u0080-\uFFFF]/;

const TABLE_SIZE = 4096;

const MIX = 31;

/** A line that holds the text is not as near as one that is the text. */
const PART_SHARE = 0.8;

const MAX_WANTED_LINES = 200;

const MAX_COMPARED_LINES = 50;

const MAX_ANCHORS = 2;

/** Of each kind of candidate. */
const MAX_CANDIDATES = 12;

/** Shorter keys, such as closing brackets, are everywhere. */
const MIN_VOTING_CHARS = 4;

/** Of a line that the text has more often. */
const MAX_PLACES_OF_KEY = 4;

const MAX_VOTED_STARTS = 50_000;

/** Less is enough where a whole line is the same. */
const MIN_LIKENESS = 0.4;

const MIN_LIKENESS_WITH_VOTE = 0.2;

/** Of longer lines only the beginning is compared. */
const LONG_LINE_CHARS = 200;

/** Shorter pieces of a text are in many lines by chance. */
const MIN_PIECE_CHARS = 8;

/** Texts of one line and this many characters are compared letter by letter too. */
const SHORT_CHARS = { min: 3, max: 24 };

/** One letter in this many may differ. */
const CHARS_PER_SLIP = 3;

const MAX_LETTERS_OF_LINE = 2_000;

const MAX_COMPARED_LETTERS = 10_000_000;

interface Region {
  /** Its first line, counted from 0. */
  readonly start: number;
  /** From 0 to 1. */
  readonly likeness: number;
}

/** First lines of regions, counted from 0, the best first; none when nothing is alike. */
export function findNearestRegions(lines: LineList, wanted: readonly string[]): number[] {
  const keys = wanted.slice(0, MAX_WANTED_LINES).map(toKey);
  const fileKeys = Array.from({ length: lines.count }, (_, line) => toKey(lines.lineAt(line)));
  const votes = countVotes(fileKeys, keys);
  const likenessAt = createLikenessAt(fileKeys, keys);
  const candidates = [...listVoted(votes), ...listAlike(fileKeys, keys)];
  const regions = [...new Set(candidates.map((start) => Math.max(0, start)))]
    .map((start) => ({ start, likeness: likenessAt(start) }))
    .filter(({ start, likeness }) => {
      return likeness >= (votes.has(start) ? MIN_LIKENESS_WITH_VOTE : MIN_LIKENESS);
    });
  const found = [...findInLongLine(lines, wanted), ...regions]
    .sort((one, other) => other.likeness - one.likeness || one.start - other.start)
    .map(({ start }) => start);
  if (found.length > 0 || wanted.length > 1) return [...new Set(found)];
  return findByLetters(lines, wanted[0] ?? "");
}

/** For each line where the text could begin, how many characters of whole lines speak for it. */
function countVotes(fileKeys: readonly string[], keys: readonly string[]): Map<number, number> {
  const places = listPlaces(keys);
  const votes = new Map<number, number>();
  for (const [line, key] of fileKeys.entries()) {
    for (const place of places.get(key) ?? []) {
      const start = line - place;
      const isCounted = votes.has(start) || votes.size < MAX_VOTED_STARTS;
      if (isCounted) votes.set(start, (votes.get(start) ?? 0) + key.length);
    }
  }
  return votes;
}

/** The lines, counted from 0, that have a key, for all keys that tell something. */
function listPlaces(keys: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [index, key] of keys.entries()) {
    if (key.length < MIN_VOTING_CHARS) continue;
    const known = places.get(key) ?? [];
    if (known.length < MAX_PLACES_OF_KEY) places.set(key, [...known, index]);
  }
  return places;
}

function listVoted(votes: ReadonlyMap<number, number>): number[] {
  const sorted = [...votes].sort(([, one], [, other]) => other - one);
  return sorted.slice(0, MAX_CANDIDATES).map(([start]) => start);
}

/** By the longest keys that the file has nowhere: in them the text and the file must differ. */
function listAlike(fileKeys: readonly string[], keys: readonly string[]): number[] {
  const known = new Set(fileKeys);
  const anchors = [...keys.entries()]
    .filter(([, key]) => key !== "" && !known.has(key))
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, MAX_ANCHORS);
  return anchors.flatMap(([place, key]) => {
    const extent = extentOf(place, keys);
    return findAlike(fileKeys, { key, extent }).map((line) => line - place);
  });
}

/** The lines most like a key, the best first; of equal ones the earlier. */
function findAlike(fileKeys: readonly string[], anchor: { key: string; extent: Extent }): number[] {
  const { key, extent } = anchor;
  const likenessOf = createLikeness(key, extent);
  let best: { line: number; likeness: number }[] = [];
  for (const [line, other] of fileKeys.entries()) {
    const isLong = extent === "whole" && other.length > 2 * key.length;
    if (isLong || 2 * other.length < key.length) continue;
    const likeness = likenessOf(other);
    const least = best.length < MAX_CANDIDATES ? MIN_LIKENESS : (best.at(-1)?.likeness ?? 0);
    if (likeness <= least) continue;
    const sorted = [...best, { line, likeness }].sort((one, two) => two.likeness - one.likeness);
    best = sorted.slice(0, MAX_CANDIDATES);
  }
  return best.map(({ line }) => line);
}

/** A text may begin and end in the middle of a line. */
function extentOf(place: number, keys: readonly string[]): Extent {
  return place === 0 || place === keys.length - 1 ? "part" : "whole";
}

/** The likeness of all wanted lines to those from a line on; long lines weigh more. */
function createLikenessAt(
  fileKeys: readonly string[],
  keys: readonly string[],
): (start: number) => number {
  const compared = keys.slice(0, MAX_COMPARED_LINES).map((key, index) => ({
    likenessOf: createLikeness(key, extentOf(index, keys)),
    weight: key.length,
  }));
  const weights = compared.reduce((sum, { weight }) => sum + weight, 0);
  return (start) => {
    const sum = compared.reduce((total, { likenessOf, weight }, index) => {
      return total + weight * likenessOf(fileKeys[start + index] ?? "");
    }, 0);
    return weights === 0 ? 0 : sum / weights;
  };
}

/** A short text has too few pairs of letters to be known by them. The nearest lines first. */
function findByLetters(lines: LineList, wanted: string): number[] {
  const text = toLetters(wanted.trim());
  if (text.length < SHORT_CHARS.min || text.length > SHORT_CHARS.max) return [];
  const maxDistance = Math.floor(text.length / CHARS_PER_SLIP);
  const near: { line: number; distance: number }[] = [];
  let left = MAX_COMPARED_LETTERS;
  for (let line = 0; line < lines.count && left > 0; line++) {
    const other = lines.lineAt(line).slice(0, MAX_LETTERS_OF_LINE);
    left -= (other.length + 1) * text.length;
    const { distance } = alignText({
      line: toLetters(other),
      text,
      from: "anywhere",
      to: "anywhere",
    });
    if (distance <= maxDistance) near.push({ line, distance });
  }
  const sorted = near.sort((one, other) => one.distance - other.distance || one.line - other.line);
  return sorted.slice(0, MAX_CANDIDATES).map(({ line }) => line);
}

/** All white space between two words counts as one letter. */
function toLetters(line: string): string {
  return line.replace(/\s+/g, " ").toLowerCase();
}

/** A long line is known by pieces of the text that it holds; one at most. */
function findInLongLine(lines: LineList, wanted: readonly string[]): Region[] {
  const texts = wanted.slice(0, MAX_WANTED_LINES).map((line) => line.trim());
  const longest = texts.reduce((best, text) => (text.length > best.length ? text : best), "");
  const place = texts.indexOf(longest);
  const text = longest.slice(0, MAX_LETTERS_OF_LINE);
  for (const piece of listPieces(text)) {
    const line = piece.text.length < MIN_PIECE_CHARS ? undefined : lines.findLine(piece.text);
    const whole = line === undefined ? "" : lines.lineAt(line);
    if (line === undefined || whole.length <= LONG_LINE_CHARS) continue;
    const distance = alignInLongLine(whole, text)?.distance ?? text.length;
    return [{ start: Math.max(0, line - place), likeness: 1 - distance / text.length }];
  }
  return [];
}

/** Without white space, letter case and kinds of marks; of a long line only the beginning counts. */
function toKey(line: string): string {
  // Twice as much, because indentation must not use up the room.
  const head = line.slice(0, 2 * MAX_KEY_CHARS).replace(WHITE_SPACE, "");
  const key = head.slice(0, MAX_KEY_CHARS).toLowerCase();
  return BEYOND_ASCII.test(key) ? toPlainMarks(key) : key;
}

/** Whether a text is a whole line, or may be a part of one. */
type Extent = "whole" | "part";

/** How like other keys are to this one, from 0 to 1, by the pairs of letters that both have. */
function createLikeness(key: string, extent: Extent): (other: string) => number {
  const table = new Uint8Array(TABLE_SIZE);
  for (let index = 0; index < key.length; index++) table[pairAt(key, index)] = 1;
  return (other) => {
    let pairs = 0;
    for (let index = 0; index < other.length; index++) pairs += table[pairAt(other, index)] ?? 0;
    const shared = Math.min(pairs, key.length);
    const likeness = shared / Math.max(key.length, other.length, 1);
    const isShorter = extent === "part" && key !== "" && key.length < other.length;
    return isShorter ? Math.max(likeness, (PART_SHARE * shared) / key.length) : likeness;
  };
}

/** A letter with the one before it. */
function pairAt(key: string, index: number): number {
  const before = index === 0 ? 0 : key.charCodeAt(index - 1);
  return (before * MIX + key.charCodeAt(index)) & (TABLE_SIZE - 1);
}
