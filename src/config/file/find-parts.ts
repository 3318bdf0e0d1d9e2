// Which of the files of a config say something about a place in it.

import { isObject } from "../check/check-value.js";
import type { KeyPath } from "../key-path.js";

export interface Part {
  readonly path: string;
  /** The place in the config that the file takes. */
  readonly under: KeyPath;
  readonly value: unknown;
}

/** Paths of files; the place is named down to the first list on the way, which may lie in many. */
export function findParts(parts: readonly Part[], keys: readonly string[]): string[] {
  return parts.filter((part) => holds(part, keys)).map(({ path }) => path);
}

function holds({ under, value }: Part, keys: readonly string[]): boolean {
  const isOnTheWay = under.every((step, index) => index >= keys.length || step === keys[index]);
  if (!isOnTheWay) return false;
  let found = value;
  for (const key of keys.slice(under.length)) {
    if (!isObject(found) || !Object.hasOwn(found, key)) return false;
    found = found[key];
  }
  return true;
}
