// Which terms of a query are in a piece, and where: for the score and for the part that is shown.

import { foldText, isCjk } from "../words/index-text.js";
import type { Lexicon } from "../words/lexicon.js";
import type { Term } from "./read-query.js";

/** A stem may differ from its words in this many last letters. */
const STEM_SLACK = 2;
const MIN_PREFIX = 2;

export interface TextMatch {
  readonly terms: ReadonlySet<Term>;
  /** Offsets in the folded text, in its order. */
  readonly offsets: readonly number[];
  /** A word as it is there, by its stem. */
  readonly surfaces: ReadonlyMap<string, string>;
}

export interface Matcher {
  /** For several texts at once: their words are stemmed together. */
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
