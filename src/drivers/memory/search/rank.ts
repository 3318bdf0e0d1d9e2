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
const RELEVANCE_SHARE = 0.7;
const DIVERSE_CANDIDATES = 20;

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

/** Maximal marginal relevance: each next hit is relevant, and unlike those before it. */
export function chooseDiverse(
  candidates: readonly RankedCandidate[],
  count: number,
): RankedCandidate[] {
  const pool = limitPerNote(candidates).slice(0, Math.max(DIVERSE_CANDIDATES, count));
  const best = pool[0]?.relevance ?? 0;
  const least = pool.at(-1)?.relevance ?? 0;
  const span = best - least || 1;
  const rest = pool.map((candidate) => ({
    candidate,
    share: (candidate.relevance - least) / span,
    words: new Set(listWords(foldText(candidate.text))),
    likeness: 0,
  }));
  const chosen: RankedCandidate[] = [];
  while (chosen.length < count && rest.length > 0) {
    const at = indexOfBest(rest);
    const [next] = rest.splice(at, 1);
    if (next === undefined) break;
    chosen.push(next.candidate);
    for (const one of rest) one.likeness = Math.max(one.likeness, compare(one.words, next.words));
  }
  return chosen;
}

function limitPerNote(candidates: readonly RankedCandidate[]): RankedCandidate[] {
  const counts = new Map<string, number>();
  return candidates.filter(({ path }) => {
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    return count <= MAX_PER_NOTE;
  });
}

function indexOfBest(rest: readonly { readonly share: number; readonly likeness: number }[]) {
  let best = 0;
  let bestValue = Number.NEGATIVE_INFINITY;
  for (const [index, { share, likeness }] of rest.entries()) {
    const value = RELEVANCE_SHARE * share - (1 - RELEVANCE_SHARE) * likeness;
    if (value <= bestValue) continue;
    best = index;
    bestValue = value;
  }
  return best;
}

/** Words in both, as a share of words in either. */
function compare(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  let common = 0;
  for (const word of small) if (large.has(word)) common++;
  const all = one.size + other.size - common;
  return all === 0 ? 0 : common / all;
}
