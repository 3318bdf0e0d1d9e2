// The order of hits: ranks of several ways joined, dated notes by their age, and no two hits that say
// the same.

import { foldText, listWords } from "../words/index-text.js";
import { type Candidate, type Found, MAX_PER_NOTE } from "./candidate.js";

const DAY_MS = 86_400_000;
const HALF_LIFE_DAYS = 30;
/** How much of its relevance an old note keeps, and how much when the newest is asked for. */
const OLD_SHARE = 0.7;
const OLD_SHARE_NOW = 0.3;
const DATED = /(?:^|\/)(\d{4})-(\d{2})-(\d{2})(?:[^/]*)\.md$/i;
/** In ranks joined, the place at which a rank counts half of the first. */
const RANK_CONSTANT = 15;
/** Share of common words above which two pieces say the same. */
const COPY_LIKENESS = 0.9;

export interface RankedCandidate extends Candidate {
  readonly relevance: number;
}

export interface Ranks {
  readonly found: readonly Found[];
  readonly weight: number;
}

/** Reciprocal ranks, weighed and added. With one way its own measure stays. */
export function joinRanks(ways: readonly Ranks[]): Found[] {
  const [only, ...others] = ways.filter(({ found }) => found.length > 0);
  if (only === undefined) return [];
  if (others.length === 0) return [...only.found];
  const sums = new Map<number, number>();
  for (const { found, weight } of [only, ...others]) {
    for (const [index, { id }] of found.entries()) {
      sums.set(id, (sums.get(id) ?? 0) + weight / (RANK_CONSTANT + index));
    }
  }
  return [...sums]
    .map(([id, relevance]) => ({ id, relevance }))
    .sort((one, other) => other.relevance - one.relevance);
}

export interface AgeRequest {
  readonly path: string;
  readonly nowMs: number;
  readonly wantsNow: boolean;
}

/** 1 for a note without a date in its name. */
export function weighAge({ path, nowMs, wantsNow }: AgeRequest): number {
  const [, year, month, day] = DATED.exec(path) ?? [];
  if (year === undefined) return 1;
  const writtenMs = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const ageDays = Math.max(0, (nowMs - writtenMs) / DAY_MS);
  const share = wantsNow ? OLD_SHARE_NOW : OLD_SHARE;
  return share + (1 - share) * 2 ** (-ageDays / HALF_LIFE_DAYS);
}

/**
 * The best hits in order of relevance. A near copy of a better hit goes to the end: any other
 * reordering for variety costs more relevant hits than it gains.
 */
export function chooseDistinct(
  candidates: readonly RankedCandidate[],
  count: number,
): RankedCandidate[] {
  const chosen: RankedCandidate[] = [];
  const copies: RankedCandidate[] = [];
  const seen: ReadonlySet<string>[] = [];
  for (const candidate of limitPerNote(candidates)) {
    if (chosen.length === count) break;
    const words = new Set(listWords(foldText(candidate.text)));
    const isCopy = seen.some((other) => compare(words, other) > COPY_LIKENESS);
    (isCopy ? copies : chosen).push(candidate);
    seen.push(words);
  }
  return [...chosen, ...copies].slice(0, count);
}

function limitPerNote(candidates: readonly RankedCandidate[]): RankedCandidate[] {
  const counts = new Map<string, number>();
  return candidates.filter(({ path }) => {
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    return count <= MAX_PER_NOTE;
  });
}

/** Words in both, as a share of words in either. */
function compare(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  let common = 0;
  for (const word of small) if (large.has(word)) common++;
  const all = one.size + other.size - common;
  return all === 0 ? 0 : common / all;
}
