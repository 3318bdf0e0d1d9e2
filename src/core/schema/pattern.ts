// Regular expressions of schemas: compiling them, and telling which of them cannot run long.

const PROPERTY_CLASSES = /\\[pP]\{/g;
const PROPERTY_CLASS_CHARS = 20;
/** Characters of one pattern. Reading a pattern cannot be stopped, so it has to be short. */
export const MAX_PATTERN_CHARS = 1_000;
/** Characters of all patterns of a schema. */
export const MAX_ALL_PATTERN_CHARS = 20_000;
const MAX_ANCHORED_STEPS = 400;
const MAX_LOOSE_STEPS = 9;
const END_STEPS = 1;

/** With the `u` flag as JSON Schema wants it, without it for older patterns; undefined for neither. */
export function parsePattern(source: string): RegExp | undefined {
  const expression = tryPattern(source, "u") ?? tryPattern(source, "");
  if (expression === undefined || isAnchored(source) || isPlainPattern(source)) return expression;
  // To find the first place of a match quickly, the engine looks ahead from the beginning of the
  // pattern, and for eight classes such as \P{L} in a row that alone takes seconds. It does not look
  // past a group that looks around, so an empty one is first; it always matches.
  return new RegExp(`(?=)(?:${source})`, expression.flags);
}

export function weighPattern(source: string): number {
  return source.length + PROPERTY_CLASS_CHARS * (source.match(PROPERTY_CLASSES)?.length ?? 0);
}

export function isPlainPattern(source: string): boolean {
  if (source.length > MAX_PATTERN_CHARS) return false;
  return countSteps(source) <= (isAnchored(source) ? MAX_ANCHORED_STEPS : MAX_LOOSE_STEPS);
}

export function isAnchored(source: string): boolean {
  return source.startsWith("^") && !hasOuterAlternative(source);
}

function tryPattern(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    // The caller tries the other spelling, or says that it is not a pattern.
    return undefined;
  }
}

const PIECES =
  /\\[bBdDsSwW]|\\[^0-9kpPuxc]|\[(?:\\.|[^\\\]])*\]|\((?:\?:)?(?![?])|\{\d+(?:,\d*)?\}|[\s\S]/gu;
const REPEAT = /^\{(\d+)(,?)(\d*)\}$/;

/** Counted from the end, because what follows a choice is tried again for each way to choose. */
function countSteps(source: string): number {
  const pieces = Array.from(source.matchAll(PIECES), ([piece]) => piece);
  let steps = END_STEPS;
  for (let index = pieces.length - 1; index >= 0; index -= 1) {
    const { ways, most } = repeatOf(pieces[index] ?? "", pieces[index - 1] ?? "");
    steps = most + ways * steps;
  }
  return steps;
}

interface Repeat {
  readonly ways: number;
  readonly most: number;
}

const ONE_STEP: Repeat = { ways: 1, most: 1 };
const UNKNOWN: Repeat = { ways: 1, most: Number.POSITIVE_INFINITY };

function repeatOf(piece: string, previous: string): Repeat {
  if (piece === "*" || piece === "+" || piece === "\\") return UNKNOWN;
  // "(?" opens a look around or a named group.
  if (piece === "?" && previous === "(") return UNKNOWN;
  if (piece === "|") return { ways: 2, most: 1 };
  const repeat = REPEAT.exec(piece);
  if (piece !== "?" && repeat === null) return ONE_STEP;
  if (previous === ")") return UNKNOWN;
  if (repeat === null) return { ways: 2, most: 1 };
  const [, least, comma, most] = repeat;
  if (comma === "") return { ways: 1, most: Number(least) };
  if (most === "") return UNKNOWN;
  return { ways: Number(most) - Number(least) + 1, most: Number(most) };
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
