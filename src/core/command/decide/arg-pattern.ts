// Argument patterns of allowlist entries: a regular expression on the arguments joined by blanks, tried
// only where it cannot run long; or the hash of one exact step.

const EXACT = "sha256:argv:";
const MAX_PATTERN_CHARS = 500;
const MAX_STEPS = 20_000_000;

const PIECES =
  /\\[\s\S]|\[(?:\\[\s\S]|[^\\\]])*\]|\((?:\?[:=!]|\?<[=!]|\?<\w+>)?|\{\d*,?\d*\}\??|[*+?]\??|[\s\S]/g;
const UNBOUNDED = /^(?:[*+]|\{\d*,\})\??$/;
const REPEAT = /^(?:[*+?]|\{\d*,?\d*\})\??$/;

export type ArgumentsJudged = { readonly ok: true } | { readonly ok: false; readonly why: string };

export function toExactPattern(hash: string): string {
  return EXACT + hash;
}

export function isExactPattern(pattern: string): boolean {
  return pattern.startsWith(EXACT);
}

export function judgeArguments(
  pattern: string,
  step: { readonly args: readonly string[]; readonly exactHash: string },
): ArgumentsJudged {
  if (isExactPattern(pattern)) {
    const isEqual = pattern === toExactPattern(step.exactHash);
    return isEqual ? { ok: true } : { ok: false, why: "the entry is for other arguments" };
  }
  const expression = parsePattern(pattern);
  if (typeof expression === "string") return { ok: false, why: expression };
  const text = step.args.join(" ");
  if (countSteps(pattern, text.length) > MAX_STEPS) {
    return { ok: false, why: "the arguments are too long for the pattern of the entry" };
  }
  return expression.test(text)
    ? { ok: true }
    : { ok: false, why: "the arguments are not those of the entry's argPattern" };
}

export function parsePattern(pattern: string): RegExp | string {
  if (pattern.length > MAX_PATTERN_CHARS) return "the entry's argPattern is too long";
  if (canBacktrackBadly(pattern)) {
    return "the entry's argPattern repeats a group that repeats or chooses, or refers back";
  }
  try {
    return new RegExp(pattern);
  } catch {
    return "the entry's argPattern is not a regular expression";
  }
}

function canBacktrackBadly(pattern: string): boolean {
  const open: { varies: boolean }[] = [];
  let closed = false;
  for (const [piece] of pattern.matchAll(PIECES)) {
    const inner = open.at(-1);
    if (/^\\(?:[1-9]|k)/.test(piece)) return true;
    if (REPEAT.test(piece)) {
      if (closed && UNBOUNDED_OR_MANY.test(piece)) return true;
      if (inner) inner.varies = true;
    }
    if (piece === "|" && inner) inner.varies = true;
    if (piece.startsWith("(")) open.push({ varies: false });
    const group = piece === ")" ? open.pop() : undefined;
    closed = group?.varies === true;
    const outer = open.at(-1);
    if (closed && outer) outer.varies = true;
  }
  return false;
}

const UNBOUNDED_OR_MANY = /^(?:[*+]|\{\d*,?\d*\})\??$/;

function countSteps(pattern: string, chars: number): number {
  const repeats = Array.from(pattern.matchAll(PIECES)).filter(([piece]) => UNBOUNDED.test(piece));
  const places = repeats.length + (pattern.startsWith("^") ? 0 : 1);
  let steps = pattern.length * (chars + 1);
  for (let place = 2; place <= places; place += 1) steps *= (chars + 1) / place;
  return steps;
}
