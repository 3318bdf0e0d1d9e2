// Finds names of content boundaries in folded text, however they are spaced or reversed.

import { lazy } from "../../lib/lazy.js";
import { BREAK, type FoldedText, foldText, UNKNOWN } from "./fold.js";

const GAP_SIGNS = " \t\n\r_.·:,;'\"`*~^+/|\\()[]<>‹›-";
const MAX_GAP_UNITS = 32;
const FENCE_UNITS_BEFORE = 40;
const FENCE_UNITS_AFTER = 96;
const LETTERS_PER_UNKNOWN = 4;
const BREAK_LETTER = 2;

const STAND_INS: Readonly<Record<string, string>> = {
  a: "4@",
  c: "(k",
  e: "3",
  i: "!|",
  s: "5$z",
  t: "7",
};

const CANDIDATE = lazy(() => {
  const gap = `[${GAP_SIGNS.replace(/[\\[\]]/g, "\\$&")}]{0,${MAX_GAP_UNITS}}`;
  return `[e3]${gap}[x${UNKNOWN}]|[ut7]${gap}[n${UNKNOWN}]|${UNKNOWN}${gap}[xn]`;
});

const OPENING_WORDS = ["end", "begin", "start", "close", "open"];
const ATTRIBUTES = String.raw`(?:[ :=]{0,3}(?:id|nonce|source)[^\n]{0,64})?`;

const NAMES = lazy((): readonly BoundaryName[] => {
  const fence: Fence = {
    before: fenceBefore(String.raw`<|‹‹|\[\[|\{\{|[-=~]{3}`),
    after: new RegExp(`^/?>|^${ATTRIBUTES} {0,3}(?:>>|››|]]|}}|[-=~]{3})`),
  };
  const strongFence: Fence = {
    before: fenceBefore(String.raw`<<|‹‹|\[\[|[-=~]{3}`),
    after: new RegExp(`^${ATTRIBUTES} {0,3}(?:>>|››|]]|[-=~]{3})`),
  };
  return [
    defineName(["external", "untrusted", "content"], { fence, isOurs: true }),
    defineName(["tnetnoc", "detsurtnu", "lanretxe"], { fence, isOurs: true }),
    defineName(["untrusted", "content"], { fence: strongFence, isOurs: false }),
  ];
});

interface Fence {
  readonly before: RegExp;
  readonly after: RegExp;
}

interface BoundaryName {
  readonly letters: string;
  readonly wordStarts: readonly number[];
  readonly fence: Fence;
  readonly isOurs: boolean;
}

interface FoundName {
  readonly name: BoundaryName;
  readonly places: readonly number[];
}

export function findBoundaryBreaks(folded: FoldedText): number[] {
  const breaks: number[] = [];
  const candidates = new RegExp(CANDIDATE(), "g");
  for (let match = candidates.exec(folded.text); match; match = candidates.exec(folded.text)) {
    const found = findNameAt(folded.text, match.index);
    if (found !== undefined) collectBreaks({ folded, found, breaks });
    candidates.lastIndex = (found?.places.at(-1) ?? match.index) + 1;
  }
  return breaks;
}

function findNameAt(text: string, start: number): FoundName | undefined {
  for (const name of NAMES()) {
    const places = matchLetters({ text, start, letters: name.letters });
    if (places !== undefined && isBoundary(text, { name, places })) return { name, places };
  }
  return undefined;
}

function matchLetters(search: {
  readonly text: string;
  readonly start: number;
  readonly letters: string;
}): number[] | undefined {
  const { text, start, letters } = search;
  const places: number[] = [];
  let unknowns = 0;
  let next = start;
  for (let index = 0; index < letters.length; index += 1) {
    const letter = letters.charAt(index);
    const place = skipGap(text, { from: next, letter, before: letters.charAt(index - 1) });
    if (place === undefined) return undefined;
    if (!isLetter(text.charAt(place), letter)) unknowns += 1;
    if (unknowns > 1 + index / LETTERS_PER_UNKNOWN) return undefined;
    places.push(place);
    next = place + 1;
  }
  return places;
}

interface GapSearch {
  readonly from: number;
  readonly letter: string;
  readonly before: string;
}

function skipGap(text: string, { from, letter, before }: GapSearch): number | undefined {
  for (let place = from; place <= from + MAX_GAP_UNITS; place += 1) {
    const unit = text.charAt(place);
    // A sign that is in for the letter is a gap where the letter itself comes next.
    const isSign = unit !== letter && text.charAt(place + 1) === letter && isGapSign(unit);
    if (isLetter(unit, letter) && !isSign) return place;
    if (before !== "" && unit === before) continue;
    // An unknown sign is a gap only if the letter itself comes next.
    if (unit === UNKNOWN && !isLetter(text.charAt(place + 1), letter)) return place;
    if (unit !== UNKNOWN && !isGapSign(unit)) return undefined;
  }
  return undefined;
}

function isGapSign(unit: string): boolean {
  return unit !== "" && GAP_SIGNS.includes(unit);
}

function isLetter(unit: string, letter: string): boolean {
  return unit === letter || (unit !== "" && (STAND_INS[letter]?.includes(unit) ?? false));
}

function isBoundary(text: string, found: FoundName): boolean {
  const first = found.places[0] ?? 0;
  const end = (found.places.at(-1) ?? first) + 1;
  if (found.name.isOurs && text.slice(first, end).includes("_")) return true;
  return (
    found.name.fence.before.test(text.slice(Math.max(0, first - FENCE_UNITS_BEFORE), first)) ||
    found.name.fence.after.test(text.slice(end, end + FENCE_UNITS_AFTER))
  );
}

function collectBreaks(work: {
  readonly folded: FoldedText;
  readonly found: FoundName;
  readonly breaks: number[];
}): void {
  const { folded, found, breaks } = work;
  for (const wordStart of found.name.wordStarts) {
    const place = found.places[wordStart + BREAK_LETTER];
    const before = found.places[wordStart + BREAK_LETTER - 1];
    if (place === undefined || before === undefined) continue;
    if (folded.text.slice(before, place).includes(BREAK)) continue;
    const origin = folded.origins[place];
    if (origin !== undefined) breaks.push(origin);
  }
}

function defineName(
  words: readonly string[],
  kind: Pick<BoundaryName, "fence" | "isOurs">,
): BoundaryName {
  const wordStarts = words.map((_, index) => words.slice(0, index).join("").length);
  return { letters: fold(words.join("")), wordStarts, ...kind };
}

function fenceBefore(signs: string): RegExp {
  const opening = OPENING_WORDS.map(fold).join("|");
  return new RegExp(`(?:${signs})[^a-z0-9\\n]{0,8}(?:(?:${opening})[^a-z0-9]{0,8})?$`);
}

function fold(word: string): string {
  return foldText(word).text;
}
