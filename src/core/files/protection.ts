// One rule for what calls may not change and, in part, not read: the file bridge, the planner of
// commands and the sandbox all go by it. Real paths are looked up by whoever makes it.

import { isInside } from "../../lib/is-inside.js";
import { createNameFinder, foldPath } from "./protected-names.js";

export interface ProtectionParts {
  /** The folder of the calls; where it is inside a protected place, it is free to work in. */
  readonly base: string;
  /** Protected at any depth; `a/b` is `b` in a folder called `a`. */
  readonly names: readonly string[];
  /** Real paths that are not changed, with all that is in them, there or not. */
  readonly closed?: readonly string[];
  /** Those of them that are not read either. */
  readonly sealed?: readonly string[];
}

/** What makes a file the same by another name. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly nlink: bigint;
}

/** The answers are names of what protects a real path; undefined where it is free. */
export interface Protection {
  findChange(realPath: string, file?: FileIdentity): string | undefined;
  findRead(realPath: string, file?: FileIdentity): string | undefined;
  /** Of a folder that is moved, removed or put there: what would go or come with it. */
  findMoved(realPath: string): string | undefined;
  /** Of a folder that is read as a whole. */
  findReadBelow(realPath: string): string | undefined;
}

export function createProtection(parts: ProtectionParts): Protection {
  const { names, closed = [], sealed = [] } = parts;
  const base = foldPath(parts.base);
  const findName = createNameFinder(names);
  const findFolder = createNameFinder(names.flatMap((name) => name.split("/").slice(0, -1)));
  const findHolder = createFinder(closed, (place, path) => isHeld(place, { path, base }));
  const findSealed = createFinder(sealed, (place, path) => isHeld(place, { path, base }));
  const findBelow = createFinder([...closed, parts.base], isInside);
  const findSealedBelow = createFinder(sealed, isInside);
  const findChange = (path: string) =>
    findName(isInside(path, parts.base) ? path.slice(parts.base.length) : path) ?? findHolder(path);
  return {
    findChange,
    findMoved: (path) =>
      findChange(path) ?? findBelow(path) ?? findFolder(path.slice(path.lastIndexOf("/"))),
    findRead: findSealed,
    findReadBelow: findSealedBelow,
  };
}

function isHeld(
  place: string,
  { path, base }: { readonly path: string; readonly base: string },
): boolean {
  const isFree = place !== base && isInside(base, place) && isInside(path, base);
  return isInside(path, place) && !isFree;
}

/** Answers with the last name of the first place that `matches`; both its arguments are folded. */
function createFinder(
  places: readonly string[],
  matches: (place: string, path: string) => boolean,
): (path: string) => string | undefined {
  const folded = places.map((place) => [foldPath(place), place] as const);
  return (path) => {
    const asked = foldPath(path);
    const found = folded.find(([place]) => matches(place, asked))?.[1];
    return found?.slice(found.lastIndexOf("/") + 1);
  };
}
