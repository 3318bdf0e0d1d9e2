// Names in a folder that a missing one may have meant: the same but for case, spaces, quotation
// marks or Unicode form, or a few letters away.

const MAX_NEAR = 3;
const MAX_COMPARED_CHARS = 100;
/** Of the longer name: as many letters may differ. */
const MAX_DIFFERENT_SHARE = 0.4;

const UNICODE_SPACES = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g;
const SINGLE_QUOTES = /[\u2018-\u201B\u02BC\u2032]/g;
const DOUBLE_QUOTES = /[\u201C-\u201F\u2033]/g;
const DASHES = /[\u2010-\u2015\u2212]/g;

/** Names that look the same; the name itself is none of them. */
export function findVariants(name: string, known: readonly string[]): string[] {
  const wanted = fold(name);
  return known.filter((candidate) => candidate !== name && fold(candidate) === wanted);
}

/** The nearest first, at most three. */
export function findNear(name: string, known: readonly string[]): string[] {
  const wanted = fold(name);
  if (wanted.length > MAX_COMPARED_CHARS) return [];
  return known
    .map((candidate) => ({ candidate, distance: measure(wanted, fold(candidate)) }))
    .filter(({ distance }) => distance !== undefined)
    .sort((left, right) => (left.distance ?? 0) - (right.distance ?? 0))
    .slice(0, MAX_NEAR)
    .map(({ candidate }) => candidate);
}

function fold(name: string): string {
  return name
    .normalize("NFC")
    .replace(UNICODE_SPACES, " ")
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(DASHES, "-")
    .toLowerCase();
}

/** How many letters differ; undefined when too many do. A name whose ending is missing is near. */
function measure(wanted: string, other: string): number | undefined {
  const longer = Math.max(wanted.length, other.length);
  const maxDistance = Math.floor(longer * MAX_DIFFERENT_SHARE);
  if (other.startsWith(`${wanted}.`)) return 1;
  if (other.length > MAX_COMPARED_CHARS) return undefined;
  if (Math.abs(wanted.length - other.length) > maxDistance) return undefined;
  const distance = countEdits(wanted, other);
  return distance <= maxDistance ? distance : undefined;
}

/** Insertions, deletions, replacements and swaps of neighbours, row by row. */
function countEdits(from: string, to: string): number {
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

/** As JSON with nothing but ASCII: names that look the same must be told apart. */
export function toPlainLetters(name: string): string {
  return JSON.stringify(name).replace(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
