// A query as terms: words without those that say nothing, each with its weight, and what is taken in
// the place of words that no note has.
import type { MemoryQuery } from "../../../core/index.js";
import { cutChars } from "../../../lib/unicode-text.js";
import type { Lexicon } from "../words/lexicon.js";
import { foldText, isCjk, listQueryWords } from "../words/near-words.js";

const WORDS = [
  "a an and any are as at be been but by can could did do does for from get had has have he her him",
  "his how i if in into is it its just kept let may me might more most much must my no nor not of off",
  "on or our out over own per please shall she should so some such tell than that the their them then",
  "there these they this those to too up us very was we were what when where which while who whom whose",
  "why will with would yes yet you your about again also because before being both during each ever",
  "find give got here look looking many note notes one ones only other same show since still thing",
  "things through under until want wants way well went whether",
  "der die das den dem des ein eine einer eines und oder ist sind war mit von zu im in auf wie was wer",
  "le la les un une des et ou est sont avec pour dans sur que qui de du au aux",
  "el los las una y es son con para por en del al",
];

const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.join(" ").split(" "));

const NOW_WORDS: ReadonlySet<string> = new Set([
  ..."latest last newest recent recently lately new now current currently today yesterday".split(
    " ",
  ),
  ..."aktuell neueste heute gestern zuletzt".split(" "),
  ..."最新 最近 今天 現在 今日 최근 오늘".split(" "),
]);

export const MAX_QUERY_CHARS = 8_000;
const MAX_TERMS = 64;
const MAX_PATHS = 16;
/** In a large index, words found in a larger share of the pieces are not looked up. */
const COMMON_SHARE = 0.15;
/** The rarest terms that are always looked up. */
const RARER_NEEDED = 2;
/** Below it every word can be looked for at no cost. */
const MANY_PIECES = 5_000;
const MIN_PREFIX_CHARS = 3;
const DATE_NAME = /^\d{4}-\d{2}-\d{2}/;

export interface Term {
  readonly word: string;
  readonly stems: readonly string[];
  readonly matches: readonly string[];
  readonly kind: "word" | "cjk" | "prefix";
  readonly weight: number;
  readonly isAsked: boolean;
  readonly isCorrected: boolean;
}

export interface ReadQuery {
  readonly terms: readonly Term[];
  /** Those that the index is asked for: what nearly all pieces have costs most and tells least. */
  readonly searched: readonly Term[];
  readonly askedWeight: number;
  readonly corrected: ReadonlyMap<string, readonly string[]>;
  readonly paths: readonly string[];
  readonly wantsNow: boolean;
}

interface Wish {
  readonly word: string;
  readonly isAsked: boolean;
}

export function readQuery(given: MemoryQuery, lexicon: Lexicon): ReadQuery {
  const query = cutChars(given.query, MAX_QUERY_CHARS);
  const also = cutChars((given.also ?? []).join("\n"), MAX_QUERY_CHARS);
  const asked = listQueryWords(query);
  const wishes = chooseWishes([
    ...asked.map((word) => ({ word, isAsked: true })),
    ...listQueryWords(also).map((word) => ({ word, isAsked: false })),
  ]);
  const stems = lexicon.stems(wishes.map(({ word }) => word));
  const corrected = new Map<string, readonly string[]>();
  const terms: Term[] = [];
  const seen = new Set<string>();
  let askedWeight = 0;
  for (const wish of wishes) {
    const stem = stems.get(wish.word) ?? wish.word;
    if (seen.has(stem)) continue;
    seen.add(stem);
    const term = toTerm(wish, { stem, lexicon });
    if (wish.isAsked) askedWeight += term?.weight ?? weigh(1, lexicon.total);
    if (term === undefined) continue;
    terms.push(term);
    if (term.isCorrected || term.kind === "prefix") corrected.set(wish.word, term.stems);
  }
  return {
    terms,
    searched: chooseSearched(terms, lexicon),
    askedWeight,
    corrected,
    paths: listPaths(query),
    wantsNow: asked.some((word) => NOW_WORDS.has(word)),
  };
}

function chooseWishes(all: readonly Wish[]): readonly Wish[] {
  const telling = all.filter(({ word }) => !STOP_WORDS.has(word));
  return (telling.length > 0 ? telling : all).slice(0, MAX_TERMS);
}

function toTerm(
  { word, isAsked }: Wish,
  { stem, lexicon }: { readonly stem: string; readonly lexicon: Lexicon },
): Term | undefined {
  const whole = { word, isAsked, isCorrected: false };
  if (isCjk(word) && [...word].length === 1) {
    if (!lexicon.beginning(word)) return undefined;
    const weight = weigh(lexicon.documents(word), lexicon.total) / 2;
    return { ...whole, stems: [word], matches: [`${quote(word)}*`], kind: "cjk", weight };
  }
  const documents = lexicon.documents(stem);
  if (documents > 0) {
    const kind = isCjk(word) ? "cjk" : "word";
    const weight = weigh(documents, lexicon.total);
    return { ...whole, stems: [stem], matches: [quote(word)], kind, weight };
  }
  if (isCjk(word)) return undefined;
  return takeBeginning({ word, isAsked }, lexicon) ?? takeNear({ word, isAsked }, lexicon);
}

function takeBeginning(wish: Wish, lexicon: Lexicon): Term | undefined {
  const { word } = wish;
  if (word.length < MIN_PREFIX_CHARS || !lexicon.beginning(word)) return undefined;
  const weight = weigh(1, lexicon.total);
  const found = { stems: [word], matches: [`${quote(word)}*`], kind: "prefix", weight } as const;
  return { ...wish, ...found, isCorrected: false };
}

function takeNear(wish: Wish, lexicon: Lexicon): Term | undefined {
  if (!wish.isAsked) return undefined;
  const near = lexicon.near(wish.word);
  if (near.size === 0) return undefined;
  const stems = [...near.values()];
  const documents = stems.reduce((sum, stem) => sum + lexicon.documents(stem), 0);
  const weight = weigh(documents, lexicon.total);
  const matches = [...near.keys()].map(quote);
  return { ...wish, stems, matches, kind: "word", weight, isCorrected: true };
}

function chooseSearched(terms: readonly Term[], lexicon: Lexicon): readonly Term[] {
  if (lexicon.total < MANY_PIECES || terms.length <= RARER_NEEDED) return terms;
  const limit = lexicon.total * COMMON_SHARE;
  const counted = terms.map((term) => ({ term, pieces: countPieces(term, lexicon) }));
  return counted
    .sort((one, other) => one.pieces - other.pieces)
    .filter(({ pieces }, place) => place < RARER_NEEDED || pieces <= limit)
    .map(({ term }) => term);
}

function countPieces({ stems }: Term, lexicon: Lexicon): number {
  return stems.reduce((sum, stem) => sum + lexicon.documents(stem), 0);
}

function weigh(documents: number, total: number): number {
  return Math.log(1 + Math.max(0, total - documents + 0.5) / (documents + 0.5));
}

function quote(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}

function listPaths(query: string): string[] {
  return query
    .split(/\s+/)
    .map((part) => part.replace(/^[`"'(]+|[`"'),.;:?!]+$/g, ""))
    .filter(
      (part) => /[^/]\/[^/]|^\/[^/]/.test(part) || /.\.md$/i.test(part) || DATE_NAME.test(part),
    )
    .slice(0, MAX_PATHS);
}

const STEM_SLACK = 2;
const MIN_PREFIX = 2;

export interface TextMatch {
  readonly terms: ReadonlySet<Term>;
  readonly offsets: readonly number[];
  readonly surfaces: ReadonlyMap<string, string>;
}

interface Matcher {
  match(texts: readonly string[]): TextMatch[];
}

interface Spot {
  readonly word: string;
  readonly offset: number;
}

export function createMatcher(terms: readonly Term[], lexicon: Lexicon): Matcher {
  const byStem = new Map<string, Term[]>();
  for (const term of terms) {
    for (const stem of term.stems) byStem.set(stem, [...(byStem.get(stem) ?? []), term]);
  }
  const begins = [...byStem.keys()].filter((stem) => !isCjk(stem)).map(toBeginning);
  const pattern =
    begins.length === 0
      ? undefined
      : new RegExp(`(?<![\\p{L}\\p{N}])(?:${begins.join("|")})[\\p{L}\\p{N}]*`, "gu");

  const listSpots = (folded: string): Spot[] =>
    pattern === undefined
      ? []
      : [...folded.matchAll(pattern)].map(({ 0: word, index }) => ({ word, offset: index }));

  return {
    match(texts) {
      const folded = texts.map(foldText);
      const spots = folded.map(listSpots);
      const words = [...new Set(spots.flatMap((list) => list.map(({ word }) => word)))];
      const stems = lexicon.stems(words);
      return folded.map((text, index) =>
        collect({ text, spots: spots[index] ?? [], stems, byStem, terms }),
      );
    },
  };
}

function collect(source: {
  readonly text: string;
  readonly spots: readonly Spot[];
  readonly stems: ReadonlyMap<string, string>;
  readonly byStem: ReadonlyMap<string, readonly Term[]>;
  readonly terms: readonly Term[];
}): TextMatch {
  const { text, spots, stems, byStem, terms } = source;
  const found = new Set<Term>();
  const offsets: number[] = [];
  const surfaces = new Map<string, string>();
  for (const { word, offset } of spots) {
    const stem = stems.get(word) ?? word;
    const hit = byStem.get(stem) ?? terms.filter((term) => isBegun(term, word));
    for (const term of hit) found.add(term);
    if (hit.length === 0) continue;
    offsets.push(offset);
    if (!surfaces.has(stem)) surfaces.set(stem, word);
  }
  for (const term of terms.filter(({ kind }) => kind === "cjk")) {
    const offset = text.indexOf(term.word);
    if (offset === -1) continue;
    found.add(term);
    offsets.push(offset);
  }
  return { terms: found, offsets: offsets.sort((one, other) => one - other), surfaces };
}

function isBegun({ kind, word }: Term, text: string): boolean {
  return kind === "prefix" && text.startsWith(word);
}

function toBeginning(stem: string): string {
  const chars = Math.max(MIN_PREFIX, stem.length - STEM_SLACK);
  return stem.slice(0, chars).replace(/[^\p{L}\p{N}]/gu, "\\$&");
}
