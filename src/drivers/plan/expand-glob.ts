// The names that a pattern matches inside the root. Without a match it stays as it is, as in bash.

import { opendirSync } from "node:fs";
import {
  type GlobPart,
  parseGlob,
  Refused,
  refuse,
  type ScannedWord,
} from "../../core/command/index.js";
import type { Protection } from "../../core/files/index.js";
import { isInside } from "../../lib/paths.js";
import { wholeRealPath } from "../../lib/system/real-path.js";
import { linkStatOf, statOf, toAbsolute } from "./look.js";

const MAX_NAMES = 1_000;
const MAX_ENTRIES = 50_000;

/** Shared by all patterns of a command line. */
export interface GlobBudget {
  names: number;
  entries: number;
}

export function createGlobBudget(): GlobBudget {
  return { names: MAX_NAMES, entries: MAX_ENTRIES };
}

export interface GlobPlace {
  readonly cwd: string;
  readonly root: string;
  readonly globBudget: GlobBudget;
  readonly protection: Protection;
}

interface Walk extends GlobPlace {
  readonly word: ScannedWord;
}

export function expandWord(word: ScannedWord, place: GlobPlace): readonly string[] {
  if (word.pattern === undefined) return [word.text];
  if (word.pattern.includes("//")) return refusePattern(word, "has an empty name in it");
  const parts = parseGlob(word.pattern);
  const isAbsolute = word.pattern.startsWith("/");
  const walk: Walk = { word, ...place };
  let found: readonly string[] = [isAbsolute ? "/" : ""];
  for (const [index, part] of parts.entries()) {
    if (index === 0 && isAbsolute) continue;
    const isLast = index === parts.length - 1;
    found = advance(found, { part, isLast, walk });
  }
  if (found.length === 0) return [word.text];
  place.globBudget.names -= found.length;
  if (place.globBudget.names < 0)
    return refusePattern(word, `brings the names to over ${MAX_NAMES}`);
  const sorted = found.map((name) => Buffer.from(name)).sort(Buffer.compare);
  return sorted.map((bytes) => toArgument(bytes.toString()));
}

/** A name must not become an option. */
function toArgument(name: string): string {
  return name.startsWith("-") ? `./${name}` : name;
}

interface Level {
  readonly part: GlobPart;
  readonly isLast: boolean;
  readonly walk: Walk;
}

/** Adds one part to the paths found so far. */
function advance(found: readonly string[], level: Level): readonly string[] {
  const { part, isLast, walk } = level;
  const next: string[] = [];
  for (const path of found) {
    const names = "literal" in part ? [part.literal] : matchNames(path, { ...level, part });
    for (const name of names) {
      const whole = path + name;
      if (name !== "" && linkStatOf(toAbsolute(whole, walk.cwd)) === undefined) continue;
      if (isLast) next.push(whole);
      else if (statOf(toAbsolute(whole, walk.cwd))?.isDirectory()) next.push(`${whole}/`);
    }
    if (next.length > MAX_ENTRIES) return refusePattern(walk.word, "matches too many names");
  }
  return next;
}

function matchNames(
  path: string,
  { part, walk }: { readonly part: { matches(name: string): boolean }; readonly walk: Walk },
): readonly string[] {
  const folder = toAbsolute(path === "" ? "." : path, walk.cwd);
  const names: string[] = [];
  try {
    const real = wholeRealPath(folder);
    if (!isInside(real, walk.root)) return refusePattern(walk.word, "looks outside of the root");
    if (walk.protection.findRead(real))
      return refusePattern(walk.word, "looks into a state folder");
    const entries = opendirSync(folder);
    try {
      for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
        walk.globBudget.entries -= 1;
        if (walk.globBudget.entries < 0) return refusePattern(walk.word, "looks at too many names");
        if (part.matches(entry.name)) names.push(entry.name);
      }
    } finally {
      entries.closeSync();
    }
  } catch (error) {
    if (error instanceof Refused) throw error;
    // Not a folder, or unreadable.
    return [];
  }
  const broken = names.find((name) => name.includes("\uFFFD"));
  return broken === undefined ? names : refusePattern(walk.word, "matches a name that is not text");
}

function refusePattern(word: ScannedWord, why: string): never {
  return refuse("pattern", `The pattern "${word.text}" ${why}.`);
}
