// What `.gitignore` files leave out: the rules of one file, and the answer of several nested ones.

import { compilePath, type PathTest } from "./path-glob.js";

const MAX_RULES = 5_000;

interface IgnoreRule {
  readonly matches: PathTest;
  readonly isNegated: boolean;
  readonly onlyFolders: boolean;
}

/** The rules of one folder; `depth` is how many names lead from the root to it. */
export interface IgnoreLayer {
  readonly depth: number;
  /** Last rule first: it wins. */
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
