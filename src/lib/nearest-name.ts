// The known name that a mistyped one most likely meant, and how it is quoted.

import { foldSpelling } from "./letter-case.js";

const MAX_NAME_CHARS = 64;
const MAX_LETTERS = 3;
const MIN_PART_CHARS = 3;
const MS_NAME = /Ms$/;

/** `undefined` when nothing is near: more than a third of the letters, or more than three, differ. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > MAX_NAME_CHARS) return undefined;
  const wanted = foldSpelling(name);
  const maxLetters = Math.min(MAX_LETTERS, Math.max(1, Math.floor(wanted.length / 3)));
  return findNearest({ wanted, known, maxLetters, spell: foldSpelling });
}

export function shortestWith(part: string, known: Iterable<string>): string | undefined {
  if (part.length < MIN_PART_CHARS) return undefined;
  const begun = foldSpelling(part);
  const longer = [...known].filter((name) => foldSpelling(name).startsWith(begun));
  return longer.sort((one, other) => one.length - other.length)[0];
}

export function quoteName(name: string): string {
  return MS_NAME.test(name) ? `"${name}" (milliseconds: 2000 is 2 seconds)` : `"${name}"`;
}

interface NearWish {
  readonly name: string;
  readonly known: Iterable<string>;
  readonly maxLetters: number;
}

export function nearestWithin({ name, known, maxLetters }: NearWish): string | undefined {
  return findNearest({ wanted: name, known, maxLetters, spell: (text) => text });
}

interface Search {
  readonly wanted: string;
  readonly known: Iterable<string>;
  readonly maxLetters: number;
  readonly spell: (name: string) => string;
}

function findNearest({ wanted, known, maxLetters, spell }: Search): string | undefined {
  let nearest: string | undefined;
  let letters = maxLetters;
  for (const candidate of known) {
    const to = spell(candidate);
    while (letters >= 0 && isWithin({ from: wanted, to, letters })) {
      nearest = candidate;
      letters--;
    }
    if (letters < 0) break;
  }
  return nearest;
}

interface Span {
  readonly from: string;
  readonly to: string;
  readonly letters: number;
}

function isWithin({ from, to, letters }: Span): boolean {
  if (Math.abs(from.length - to.length) > letters) return false;
  let start = 0;
  while (start < from.length && from[start] === to[start]) start++;
  if (start === from.length && start === to.length) return true;
  if (letters === 0) return false;
  const left = letters - 1;
  const after = (fromStep: number, toStep: number) =>
    isWithin({ from: from.slice(start + fromStep), to: to.slice(start + toStep), letters: left });
  const isSwap = from[start] === to[start + 1] && from[start + 1] === to[start];
  return after(1, 1) || after(1, 0) || after(0, 1) || (isSwap && after(2, 2));
}
