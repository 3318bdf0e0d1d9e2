// Whether a repository takes objects from a place that is not its own: by its list of other places,
// or by links. What is shown of it then comes from there.

import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";

const LISTS = ["info/alternates", "info/http-alternates"];

/** `gitFolder` is absolute, with links resolved. What cannot be looked at counts as borrowed. */
export function borrowsObjects(gitFolder: string): boolean {
  const objects = join(gitFolder, "objects");
  try {
    if (realpathSync.native(objects) !== objects) return true;
    const hasList = LISTS.some(
      (name) => lstatSync(join(objects, name), { throwIfNoEntry: false }) !== undefined,
    );
    return hasList || hasLink(objects) || hasLink(join(objects, "pack"));
  } catch {
    // Git would not find its objects either, or could not read them.
    return true;
  }
}

function hasLink(folder: string): boolean {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return false;
  return readdirSync(folder, { withFileTypes: true }).some((entry) => entry.isSymbolicLink());
}
