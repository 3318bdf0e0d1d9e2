// Names in the index of a repository that lead out of the root: by dots, which git does not look for
// when it reads its index, or by a folder that has become a link. git reads, and shows, the files there.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../../lib/is-inside.js";
import { findRealPath } from "./real-path.js";

/** No name of an index has one of these in it. */
const ODD = new Set(["", ".", "..", ".git"]);

/** `names` are told from `workTree`, which is absolute. One sentence without its full stop. */
export function findStrayPath(
  names: readonly string[],
  { workTree, root }: { readonly workTree: string; readonly root: string },
): string | undefined {
  const seen = new Set<string>();
  for (const name of names) {
    const parts = name.split("/");
    if (parts.some((part) => ODD.has(part)) || leadsOut(parts, { workTree, root, seen })) {
      return `its index has a name that leads out of it: "${name}"`;
    }
  }
  return undefined;
}

interface Look {
  readonly workTree: string;
  readonly root: string;
  /** Folders that were looked at. */
  readonly seen: Set<string>;
}

function leadsOut(parts: readonly string[], { workTree, root, seen }: Look): boolean {
  for (let count = parts.length - 1; count > 0; count -= 1) {
    const folder = parts.slice(0, count).join("/");
    // Those above it were looked at with it.
    if (seen.has(folder)) return false;
    seen.add(folder);
    if (isStrayFolder(join(workTree, folder), root)) return true;
  }
  return false;
}

function isStrayFolder(folder: string, root: string): boolean {
  try {
    if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return false;
  } catch {
    // Below what cannot be looked at git reads nothing either.
    return false;
  }
  const real = findRealPath(folder, "/");
  return real === undefined || !isInside(real, root);
}
