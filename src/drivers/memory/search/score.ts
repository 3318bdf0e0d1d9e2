// How much of a query a piece holds: words that were asked for count whole, guesses half.

import type { ReadQuery, Term } from "./read-query.js";

/** What a word counts that was taken for another, or that the caller gave beside the query. */
const GUESS_SHARE = 0.5;

/** 0 to 1. Words beside the query stand in for those of it that are missing, and never lower it. */
export function scoreWords(found: Iterable<Term>, { askedWeight }: ReadQuery): number {
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

/** Nothing of it is in the query, or among the words beside it, as it is written. */
export function restsOnCorrections(found: ReadonlySet<Term>): boolean {
  return found.size > 0 && [...found].every(({ isCorrected }) => isCorrected);
}
