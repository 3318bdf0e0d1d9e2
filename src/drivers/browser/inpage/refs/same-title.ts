// Whether what is said over several things is the same: how many there are may change, and with that the
// form of a word; a name may not.

import { hasSameNaming } from "../duplicates/naming.js";

const WORD = /\p{L}[\p{L}\p{M}]*/gu;

export function isSameTitle(before: string, now: string): boolean {
  if (before === now) return true;
  if (!hasSameNaming(before, now)) return false;
  const words = new Set(now.toLowerCase().match(WORD));
  const isKept = (word: string) =>
    words.has(word) ||
    words.has(`${word}s`) ||
    (word.endsWith("s") && words.has(word.slice(0, -1)));
  return (before.toLowerCase().match(WORD) ?? []).every(isKept);
}
