// Whether an allowlist entry speaks of a program: by a glob on its path, or by its bare name when it
// was found in the search path.

import { isInside } from "../../../lib/is-inside.js";
import type { PlanStep } from "../plan.js";

/** As it is in exec-approvals.json; further fields of it do not matter here. */
export interface AllowEntry {
  readonly id?: string | undefined;
  /** `*` is a part of a name, `**` any number of names, `?` one character. */
  readonly pattern: string;
  readonly argPattern?: string | undefined;
  readonly source?: string | undefined;
}

export interface MatchContext {
  readonly root: string;
  /** What `~/` in a pattern means. */
  readonly home?: string | undefined;
}

const MAX_PATTERN_CHARS = 1_000;
const WILD = /[*?]/;
/** Where it is a link to the folder of the same name below /usr, programs are found there. */
const OLD_FOLDER = /^\/s?bin\//;

export function isEntryFor(entry: AllowEntry, step: PlanStep, context: MatchContext): boolean {
  const { facts, program } = step;
  if (facts === undefined || entry.pattern.length > MAX_PATTERN_CHARS) return false;
  const isOurs = isInside(program.path, context.root) || isInside(facts.file, context.root);
  if (!entry.pattern.includes("/")) {
    if (facts.lookup !== "search" || isOurs) return false;
    return matchesGlob(entry.pattern, baseName(facts.file));
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

/** Walks with one way back per kind of star, so that it stays quick. */
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

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
