// One list, compiled: which of its entries, if any, speaks of a tool.

import { type Meaning, type ReadMeaning, standsForBuiltIn } from "./meaning.js";
import type { Subject } from "./tool-index.js";

/**
 * `allow` and `deny` are lists that people wrote; `built-in` is a list of ours, which speaks of
 * built-in tools alone.
 */
export type MatchUse = "allow" | "deny" | "built-in";

export interface Matcher {
  /** Position of the first entry that speaks of the tool. */
  find(subject: Subject): number | undefined;
  has(subject: Subject): boolean;
}

export type CompileList = (entries: readonly string[], use: MatchUse) => Matcher;

/** Remembers each list by identity, so that a config with one list changed compiles only that. */
export function createListCompiler(read: ReadMeaning): CompileList {
  const known = { allow: new WeakMap(), deny: new WeakMap(), "built-in": new WeakMap() } as const;
  return (entries, use) => {
    const remembered: Matcher | undefined = known[use].get(entries);
    if (remembered) return remembered;
    const matcher = createMatcher(entries, { read, use });
    known[use].set(entries, matcher);
    return matcher;
  };
}

function createMatcher(
  entries: readonly string[],
  { read, use }: { read: ReadMeaning; use: MatchUse },
): Matcher {
  const positions = new Map<Subject, number>();
  let everyPosition: number | undefined;
  for (const [position, entry] of entries.entries()) {
    const meaning = read(entry);
    if (meaning.kind === "every") everyPosition ??= position;
    for (const subject of membersOf(meaning, use)) {
      if (!positions.has(subject)) positions.set(subject, position);
    }
  }
  const find = (subject: Subject) => {
    const own = positions.get(subject);
    if (own === undefined || everyPosition === undefined) return own ?? everyPosition;
    return Math.min(own, everyPosition);
  };
  return { find, has: (subject) => find(subject) !== undefined };
}

function membersOf(meaning: Meaning, use: MatchUse): Iterable<Subject> {
  if (use === "deny") return meaning.stops;
  if (use === "allow") return meaning.admits;
  return [...meaning.admits].filter(standsForBuiltIn);
}
