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
  return findNearest({ name: wanted, known, maxLetters, spell: foldSpelling });
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
  return findNearest({ name, known, maxLetters, spell: (text) => text });
}

interface Search extends NearWish {
  readonly spell: (name: string) => string;
}

function findNearest({ name, known, maxLetters, spell }: Search): string | undefined {
  let nearest: string | undefined;
  let most = maxLetters;
  for (const candidate of known) {
    const to = spell(candidate);
    if (Math.abs(name.length - to.length) > most) continue;
    const letters = countEdits(name, to);
    if (letters > most) continue;
    nearest = candidate;
    most = letters - 1;
  }
  return nearest;
}

/** Letters that are inserted, missing, replaced, or swapped with their neighbour. */
export function countEdits(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let index = 0; index < from.length; index++) {
    const next = [index + 1];
    for (let column = 0; column < to.length; column++) {
      const replaced = (row[column] ?? 0) + (from[index] === to[column] ? 0 : 1);
      const removed = (row[column + 1] ?? 0) + 1;
      const added = (next[column] ?? 0) + 1;
      const isSwap = index > 0 && from[index] === to[column - 1] && from[index - 1] === to[column];
      const swapped = isSwap ? (before[column - 1] ?? 0) + 1 : added;
      next.push(Math.min(replaced, removed, added, swapped));
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
}
