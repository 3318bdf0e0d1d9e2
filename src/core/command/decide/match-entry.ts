// Whether an allowlist entry matches a program: by a glob on its path, or by its bare name.

import { isInside } from "../../../lib/paths.js";
import type { PlanStep } from "../plan.js";

const EXACT = "sha256:argv:";
const MAX_ARG_PATTERN_CHARS = 500;
const MAX_STEPS = 20_000_000;

const PIECES =
  /\\[\s\S]|\[(?:\\[\s\S]|[^\\\]])*\]|\((?:\?[:=!]|\?<[=!]|\?<\w+>)?|\{\d*,?\d*\}\??|[*+?]\??|[\s\S]/g;
const UNBOUNDED = /^(?:[*+]|\{\d*,\})\??$/;
const REPEAT = /^(?:[*+?]|\{\d*,?\d*\})\??$/;

export function toExactPattern(hash: string): string {
  return EXACT + hash;
}

export function isExactPattern(pattern: string): boolean {
  return pattern.startsWith(EXACT);
}

/** Why the pattern does not match; undefined when it does. */
export function judgeArguments(
  pattern: string,
  step: { readonly args: readonly string[]; readonly exactHash: string },
): string | undefined {
  if (isExactPattern(pattern)) {
    const isEqual = pattern === toExactPattern(step.exactHash);
    return isEqual ? undefined : "the entry is for other arguments";
  }
  const expression = parsePattern(pattern);
  if (typeof expression === "string") return expression;
  const text = step.args.join(" ");
  if (countSteps(pattern, text.length) > MAX_STEPS) {
    return "the arguments are too long for the pattern of the entry";
  }
  return expression.test(text)
    ? undefined
    : "the arguments are not those of the entry's argPattern";
}

export function parsePattern(pattern: string): RegExp | string {
  if (pattern.length > MAX_ARG_PATTERN_CHARS) return "the entry's argPattern is too long";
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

export interface AllowEntry {
  readonly id?: string | undefined;
  /** `*` is a part of a name, `**` any number of names, `?` one character. */
  readonly pattern: string;
  readonly argPattern?: string | undefined;
  readonly source?: string | undefined;
}

interface MatchContext {
  readonly root: string;
  readonly home?: string | undefined;
}

const MAX_PATTERN_CHARS = 1_000;
const WILD = /[*?]/;
/** Where it is a link to the folder of the same name below /usr, programs are found there. */
const OLD_FOLDER = /^\/s?bin\//;

export function isEntryFor(entry: AllowEntry, step: PlanStep, context: MatchContext): boolean {
  const { facts, program } = step;
  if (entry.pattern.length > MAX_PATTERN_CHARS) return false;
  const isOurs = isInside(program.path, context.root) || isInside(facts.file, context.root);
  if (!entry.pattern.includes("/")) {
    if (facts.lookup !== "search" || isOurs) return false;
    return matchesGlob(entry.pattern, facts.file.slice(facts.file.lastIndexOf("/") + 1));
  }
  const pattern = expandHome(entry.pattern, context.home);
  // What is in the workspace can be made there, so a wildcard must not take it in.
  if (isOurs && WILD.test(pattern)) return false;
  return [pattern, pattern.replace(OLD_FOLDER, "/usr$&")].some(
    (one) => matchesGlob(one, program.path) || matchesGlob(one, facts.file),
  );
}

function expandHome(pattern: string, home: string | undefined): string {
  return pattern.startsWith("~/") && home !== undefined ? home + pattern.slice(1) : pattern;
}

export function matchesGlob(pattern: string, text: string): boolean {
  let reached = new Set([0]);
  for (let at = 0; at < pattern.length && reached.size > 0; ) {
    const sign = pattern[at] ?? "";
    const isDeep = sign === "*" && pattern[at + 1] === "*";
    reached = advance(reached, { text, sign: isDeep ? "**" : sign });
    at += isDeep ? 2 : 1;
  }
  return reached.has(text.length);
}

function advance(
  reached: ReadonlySet<number>,
  { text, sign }: { readonly text: string; readonly sign: string },
): Set<number> {
  const next = new Set<number>();
  for (const from of reached) {
    if (sign === "*" || sign === "**") {
      for (let to = from; to <= text.length && !next.has(to); to += 1) {
        next.add(to);
        if (sign === "*" && text[to] === "/") break;
      }
    } else if (from < text.length && (sign === "?" ? text[from] !== "/" : text[from] === sign)) {
      next.add(from + 1);
    }
  }
  return next;
}
