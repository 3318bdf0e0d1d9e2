// How alike two lines must be to count as one, from strict to loose. Only places are found by it:
// what a file holds there is kept as it is.

import { toPlainMarks } from "../../../lib/unicode-text.js";

export interface Likeness {
  /** What is not a difference; "" when everything is. */
  readonly ignores: string;
  /** It says so little that a second place makes it worthless. */
  readonly isLoose: boolean;
  fold(line: string): string;
}

export const EXACT: Likeness = { ignores: "", isLoose: false, fold: (line) => line };

/** From strict to loose. */
export const LIKENESSES: readonly Likeness[] = [
  EXACT,
  { ignores: "spaces at line ends", isLoose: false, fold: (line) => line.trimEnd() },
  { ignores: "indentation", isLoose: true, fold: (line) => line.trim() },
  { ignores: "indentation and kinds of punctuation", isLoose: true, fold: foldPunctuation },
];

export function foldPunctuation(line: string): string {
  return toPlainMarks(line.trim());
}
