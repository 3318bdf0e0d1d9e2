// How alike two lines must be to count as one, from strict to loose. Only places are found by it:
// what a file holds there is kept as it is.

const DASHES = /[\u2010-\u2015\u2212]/g;
const SINGLE_QUOTES = /[\u2018-\u201B]/g;
const DOUBLE_QUOTES = /[\u201C-\u201F]/g;
const SPACES = /[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g;

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
  return line
    .trim()
    .replace(DASHES, "-")
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(SPACES, " ");
}
