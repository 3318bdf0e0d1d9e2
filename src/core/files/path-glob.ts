// Path patterns and `.gitignore` rules. They match in linear time, because models write them.

import { type GlobPart, parseGlob } from "../command/scan/glob-pattern.js";
import { matchesSequence } from "../match-sequence.js";

const MAX_RULES = 5_000;

interface IgnoreRule {
  readonly matches: PathTest;
  readonly isNegated: boolean;
  readonly onlyFolders: boolean;
}

/** The rules of one folder; `depth` is how many names lead from the root to it. */
export interface IgnoreLayer {
  readonly depth: number;
  readonly rules: readonly IgnoreRule[];
}

export function parseIgnoreFile(text: string, depth: number): IgnoreLayer {
  const rules = text
    .split("\n", MAX_RULES)
    .map((line) => line.replace(/\r$/, "").replace(/(?<!\\) +$/, ""))
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(parseRule);
  return { depth, rules: rules.reverse() };
}

export function isIgnored(
  layers: readonly IgnoreLayer[],
  { names, isFolder }: { readonly names: readonly string[]; readonly isFolder: boolean },
): boolean {
  for (let index = layers.length - 1; index >= 0; index -= 1) {
    const layer = layers[index];
    const own = names.slice(layer?.depth);
    const rule = layer?.rules.find(
      ({ onlyFolders, matches }) => (isFolder || !onlyFolders) && matches(own),
    );
    if (rule) return !rule.isNegated;
  }
  return false;
}

function parseRule(line: string): IgnoreRule {
  const isNegated = line.startsWith("!");
  const pattern = isNegated ? line.slice(1) : line;
  const onlyFolders = pattern.endsWith("/");
  return {
    matches: compilePath(onlyFolders ? pattern.slice(0, -1) : pattern),
    isNegated,
    onlyFolders,
  };
}

const MAX_ALTERNATIVES = 64;
const BRACES = /\{([^{}]*,[^{}]*)\}/;
const ANY_NAMES = "**";

export type PathTest = (names: readonly string[]) => boolean;

export function compileGlob(pattern: string): PathTest {
  if (pattern.startsWith("!")) {
    const excluded = compileGlob(pattern.slice(1));
    return (names) => !excluded(names);
  }
  const tests = expandBraces(pattern.replace(/^(?:\.?\/)+/, "")).map(compilePath);
  return (names) => tests.some((test) => test(names));
}

function compilePath(pattern: string): PathTest {
  const texts = pattern.split("/").filter((text) => text !== "");
  // `a/**` means what is inside `a`, not `a` itself.
  if (texts.at(-1) === ANY_NAMES) texts.splice(-1, 0, "*");
  const parts = texts.map((text) =>
    text === ANY_NAMES ? ANY_NAMES : parseGlob(text, { matchesHidden: true })[0],
  );
  if (parts.length === 1 && !pattern.includes("/")) {
    const [only] = parts;
    return (names) => matchesName(only, names.at(-1) ?? "");
  }
  return (names) => matchesNames(parts, names);
}

type PathPart = GlobPart | typeof ANY_NAMES | undefined;

function matchesNames(parts: readonly PathPart[], names: readonly string[]): boolean {
  return matchesSequence({
    parts,
    items: names,
    isStar: (part) => part === ANY_NAMES,
    matches: matchesName,
  });
}

function matchesName(part: PathPart, name: string): boolean {
  if (part === undefined || part === ANY_NAMES) return false;
  return "literal" in part ? part.literal === name : part.matches(name);
}

function expandBraces(pattern: string): string[] {
  const whole: string[] = [];
  const pending = [pattern];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const found = BRACES.exec(next);
    if (!found || whole.length + pending.length >= MAX_ALTERNATIVES) {
      whole.push(next);
      continue;
    }
    const [braces, inner = ""] = found;
    const [before, after] = [next.slice(0, found.index), next.slice(found.index + braces.length)];
    pending.push(...inner.split(",").map((choice) => `${before}${choice}${after}`));
  }
  return whole;
}
