// One search over what the index holds: every way of searching is asked, their answers are joined,
// ordered and scored. Whether the index is up to date is left to the caller.

import type { MemoryHit, MemoryQuery } from "../../../core/index.js";
import { cutChars } from "../../../lib/unicode-text.js";
import type { Database } from "../index-file/database.js";
import type { QuerySettings } from "../settings.js";
import type { Lexicon } from "../words/lexicon.js";
import {
  type Found,
  findByKeywords,
  findByPath,
  joinRanks,
  limitPerNote,
  type RankedCandidate,
  readCandidate,
  weighAge,
} from "./rank.js";
import {
  createMatcher,
  MAX_QUERY_CHARS,
  type ReadQuery,
  readQuery,
  type Term,
  type TextMatch,
} from "./read-query.js";

const MAX_SNIPPET_CHARS = 700;
const LEAD_CHARS = 120;
const GUESS_SHARE = 0.5;
const MAX_CANDIDATES = 50;
const LOW_SCORE = 0.3;
const SCORE_DIGITS = 1_000;
const MAX_BEGUN = 3;

export interface IndexSearch {
  readonly query: MemoryQuery;
  readonly reader: Database;
  readonly lexicon: Lexicon;
  readonly settings: QuerySettings;
  readonly nowMs: number;
  /** What was found by meaning; undefined when it was not searched for. */
  readonly meaning: readonly Found[] | undefined;
}

export interface IndexAnswer {
  readonly hits: readonly MemoryHit[];
  readonly legs: readonly string[];
  readonly corrected: Readonly<Record<string, readonly string[]>>;
  readonly warnings: readonly string[];
}

export async function searchIndex(search: IndexSearch): Promise<IndexAnswer> {
  const { query, reader, lexicon, settings, meaning } = search;
  const read = readQuery(query, lexicon);
  const byWords = findByKeywords(reader, { terms: read.searched, limit: MAX_CANDIDATES });
  const joined = joinRanks([
    { found: byWords, weight: settings.weights.words },
    { found: meaning ?? [], weight: settings.weights.meaning },
  ]);
  const byPath = findByPath(reader, read.paths);
  const ranked = rankAll(search, { read, joined, byPath });
  const limit = query.maxResults ?? settings.maxResults;
  const first = ranked.filter(({ id }) => byPath.some((found) => found.id === id));
  const others = ranked.filter(({ id }) => !byPath.some((found) => found.id === id));
  const chosen = [...first, ...limitPerNote(others)].slice(0, limit);
  const scored = scoreAll(search, { read, chosen, byPath });
  const kept = keepGood(scored, query.minScore ?? settings.minScore);
  const hits = kept.map(({ hit }) => hit);
  return {
    hits,
    legs: meaning === undefined ? ["words"] : ["words", "meaning"],
    corrected: showCorrected(
      read,
      scored.map(({ match }) => match),
    ),
    warnings: [...warnOfLength(query), ...(meaning === undefined ? warn(kept) : [])],
  };
}

interface Scored {
  readonly hit: MemoryHit;
  readonly match: TextMatch;
  readonly terms: ReadonlySet<Term>;
  readonly isNamed: boolean;
}

interface Reading {
  readonly read: ReadQuery;
  readonly byPath: readonly Found[];
}

function rankAll(
  { reader, nowMs }: IndexSearch,
  { read, joined, byPath }: Reading & { readonly joined: readonly Found[] },
): RankedCandidate[] {
  const { wantsNow } = read;
  const seen = new Set<number>();
  return [...byPath, ...joined]
    .filter(({ id }) => !seen.has(id) && seen.add(id))
    .flatMap(({ id, relevance }) => {
      const candidate = readCandidate(reader, id);
      if (candidate === undefined) return [];
      const age = weighAge({ path: candidate.path, nowMs, wantsNow });
      return [{ ...candidate, relevance: relevance * age }];
    })
    .sort((one, other) => other.relevance - one.relevance);
}

function scoreAll(
  { lexicon, meaning }: IndexSearch,
  { read, chosen, byPath }: Reading & { readonly chosen: readonly RankedCandidate[] },
): Scored[] {
  const matcher = createMatcher(read.terms, lexicon);
  const bodies = matcher.match(chosen.map(({ text }) => text));
  const names = matcher.match(chosen.map(({ heading, path }) => `${heading} ${path}`));
  return chosen.flatMap((candidate, index): Scored[] => {
    const { id, path, startLine, startChar, endLine, heading, text, source } = candidate;
    const match = bodies[index];
    if (match === undefined) return [];
    const isNamed = byPath.some((found) => found.id === id);
    const byMeaning = meaning?.find((found) => found.id === id)?.relevance ?? 0;
    const terms = new Set([...match.terms, ...(names[index]?.terms ?? [])]);
    const score = isNamed ? 1 : Math.max(scoreWords(terms, read), Math.min(1, byMeaning), 0);
    const isWeak = !isNamed && byMeaning <= 0 && restsOnCorrections(terms);
    const hit = {
      ...{ path, startLine, endLine },
      ...(startChar === 1 ? {} : { startChar }),
      ...(heading === "" ? {} : { heading }),
      snippet: cutSnippet(text, match.offsets),
      score: Math.round(score * SCORE_DIGITS) / SCORE_DIGITS,
      ...(isWeak ? { isWeak } : {}),
      ...(source === undefined ? {} : { source }),
    };
    return [{ hit, match, terms, isNamed }];
  });
}

/** `minScore` is a share of the best score: a long question scores low on every note. */
function keepGood(scored: readonly Scored[], minScore: number): readonly Scored[] {
  const best = Math.max(...scored.map(({ hit }) => hit.score));
  return scored.filter(({ hit }) => hit.score >= minScore * best);
}

function showCorrected(
  { corrected, terms }: ReadQuery,
  matches: readonly TextMatch[],
): Readonly<Record<string, readonly string[]>> {
  const surface = (stem: string) =>
    matches.map(({ surfaces }) => surfaces.get(stem)).find((word) => word !== undefined) ?? stem;
  const listBegun = (beginning: string) => {
    const words = matches.flatMap(({ surfaces }) => [...surfaces.values()]);
    return [...new Set(words.filter((word) => word.startsWith(beginning)))].slice(0, MAX_BEGUN);
  };
  const begun = new Set(terms.filter(({ kind }) => kind === "prefix").map(({ word }) => word));
  return Object.fromEntries(
    [...corrected]
      .map(
        ([word, stems]) => [word, begun.has(word) ? listBegun(word) : stems.map(surface)] as const,
      )
      .filter(([, words]) => words.length > 0),
  );
}

function warnOfLength({ query }: MemoryQuery): string[] {
  if (query.length <= MAX_QUERY_CHARS) return [];
  return [`Of the query only the first ${MAX_QUERY_CHARS} characters were read; ask shorter.`];
}

/** Where only words were compared. Of no hit at all the answer speaks for itself. */
function warn(kept: readonly Scored[]): string[] {
  if (kept.length === 0) return [];
  const best = Math.max(...kept.map(({ hit }) => hit.score));
  const isGuess = kept.every(
    ({ terms, isNamed }) => !isNamed && ![...terms].some(({ isAsked }) => isAsked),
  );
  if (isGuess) {
    return ["No word of the query itself is in these notes; they were found by the words of also."];
  }
  if (best >= LOW_SCORE) return [];
  return ["Only words were compared, and few of them match; try other words for the same thing."];
}

function scoreWords(found: Iterable<Term>, { askedWeight }: ReadQuery): number {
  if (askedWeight === 0) return 0;
  let exact = 0;
  let guessed = 0;
  for (const { weight, isAsked, isCorrected } of found) {
    if (isAsked && !isCorrected) exact += weight;
    else guessed += weight;
  }
  const missing = Math.max(0, askedWeight - exact);
  return Math.min(1, (exact + Math.min(guessed, missing) * GUESS_SHARE) / askedWeight);
}

function restsOnCorrections(found: ReadonlySet<Term>): boolean {
  return found.size > 0 && [...found].every(({ isCorrected }) => isCorrected);
}

function cutSnippet(text: string, offsets: readonly number[]): string {
  if (text.length <= MAX_SNIPPET_CHARS) return text;
  const from = findDensest(offsets);
  const start = from <= LEAD_CHARS ? 0 : startOfLineNear(text, from - LEAD_CHARS);
  const cut = cutChars(text.slice(start), MAX_SNIPPET_CHARS).replace(/^[\uDC00-\uDFFF]/, "");
  const isEnd = start + cut.length >= text.length;
  return `${start > 0 ? "… " : ""}${cut.trim()}${isEnd ? "" : " …"}`;
}

function findDensest(offsets: readonly number[]): number {
  let best = offsets[0] ?? 0;
  let bestCount = 0;
  for (const [index, offset] of offsets.entries()) {
    const end = offset + MAX_SNIPPET_CHARS - LEAD_CHARS;
    const beyond = offsets.findIndex((other) => other > end);
    const count = (beyond === -1 ? offsets.length : beyond) - index;
    if (count <= bestCount) continue;
    best = offset;
    bestCount = count;
  }
  return best;
}

function startOfLineNear(text: string, offset: number): number {
  const line = text.indexOf("\n", offset);
  if (line !== -1 && line - offset < LEAD_CHARS) return line + 1;
  const space = text.indexOf(" ", offset);
  return space !== -1 && space - offset < LEAD_CHARS ? space + 1 : offset;
}
