// Regular expressions of schemas: compiling them, and telling which of them cannot run long.

/** Ways to match that a pattern may have and still be tried without a time guard. */
const MAX_PLAIN_WAYS = 64;
const MAX_PLAIN_CHARS = 200;

/** With the `u` flag as JSON Schema wants it, without it for older patterns; undefined for neither. */
export function parsePattern(source: string): RegExp | undefined {
  return tryPattern(source, "u") ?? tryPattern(source, "");
}

/** Whether the pattern works with the `u` flag. */
export function isUnicodePattern(source: string): boolean {
  return tryPattern(source, "u") !== undefined;
}

/**
 * Whether the pattern is proven to need few steps for any text. "No" means only that it was not
 * proven: groups that repeat, unbounded repeats, references back and looks around are not examined.
 */
export function isPlainPattern(source: string): boolean {
  if (source.length > MAX_PLAIN_CHARS) return false;
  const ways = countWays(source);
  // Without "^" the match is tried anew at every place of the text.
  const anchored = source.startsWith("^") && !hasOuterAlternative(source);
  return anchored ? ways <= MAX_PLAIN_WAYS : ways <= 1;
}

function tryPattern(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    // The caller tries the other spelling, or says that it is no pattern.
    return undefined;
  }
}

/** One piece of a pattern: an escape, a class, a group opening, a repeat, or one character. */
const PIECES =
  /\\[bBdDsSwW]|\\[^0-9kpPuxc]|\[(?:\\.|[^\\\]])*\]|\((?:\?:)?(?![?])|\{\d+(?:,\d*)?\}|[\s\S]/gu;
const REPEAT = /^\{(\d+)(,?)(\d*)\}$/;

/** How many ways a match can go at most; Infinity when that is not known. */
function countWays(source: string): number {
  let ways = 1;
  let previous = "";
  for (const [piece] of source.matchAll(PIECES)) {
    ways *= waysOf(piece, previous);
    if (ways > MAX_PLAIN_WAYS) return Number.POSITIVE_INFINITY;
    previous = piece;
  }
  return ways;
}

function waysOf(piece: string, previous: string): number {
  if (piece === "*" || piece === "+" || piece === "\\") return Number.POSITIVE_INFINITY;
  // "(?" opens a look around or a named group.
  if (piece === "?" && previous === "(") return Number.POSITIVE_INFINITY;
  if (piece === "|") return 2;
  const repeat = REPEAT.exec(piece);
  if (piece !== "?" && repeat === null) return 1;
  if (previous === ")") return Number.POSITIVE_INFINITY;
  if (repeat === null) return 2;
  const [, least, comma, most] = repeat;
  if (comma === "") return 1;
  return most === "" ? Number.POSITIVE_INFINITY : Number(most) - Number(least) + 1;
}

function hasOuterAlternative(source: string): boolean {
  let depth = 0;
  for (const [piece] of source.matchAll(PIECES)) {
    if (piece.startsWith("(")) depth += 1;
    if (piece === ")") depth -= 1;
    if (piece === "|" && depth === 0) return true;
  }
  return false;
}
