// What to say of a path that is not there: is it simply missing, or would it lead out of the root?
// Nothing is opened for its content here, and nothing is made.

import { readlink } from "node:fs/promises";
import { resolve } from "node:path";
import { outsideRoot } from "../../core/files/index.js";
import { errnoOf, isMissing } from "../../lib/errno.js";
import { rootReplaced } from "./errors.js";
import type { Pin } from "./pin.js";
import type { Root, Target } from "./root.js";

/** As many links in a row as the kernel follows. */
const MAX_LINKS = 40;

/** Throws when the way to a missing path leaves the root, by a folder link or a broken link. */
export async function assertMissingInside(root: Root, target: Target): Promise<void> {
  let relative = target.relative;
  for (let links = 0; links < MAX_LINKS; links++) {
    const next = await followBrokenLink(root, { ...target, relative });
    if (next === undefined) return;
    relative = next;
  }
}

/** The target of the first missing name if it is a link; undefined otherwise. */
async function followBrokenLink(root: Root, target: Target): Promise<string | undefined> {
  const { folder, names } = await pinNearestFolder(root, target);
  try {
    const [first = "", ...rest] = names;
    const text = await readLinkText(`${folder.door}/${first}`);
    if (text === undefined) return undefined;
    const way = root.wayTo(resolve(folder.realPath, text, ...rest));
    if (way === undefined) throw outsideRoot(target.path);
    return way;
  } finally {
    folder.close();
  }
}

/** The deepest thing on the way that exists, and the names that are left below it. */
export async function pinNearestFolder(
  root: Root,
  target: Target,
): Promise<{ folder: Pin; names: string[] }> {
  const names = target.relative.split("/");
  for (let depth = names.length - 1; depth >= 0; depth--) {
    const relative = names.slice(0, depth).join("/");
    try {
      const folder = await root.pinInside({ ...target, relative, namesFolder: false });
      return { folder, names: names.slice(depth) };
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  throw rootReplaced();
}

/** The text of a link; undefined for anything else. */
export async function readLinkText(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    // EINVAL: something is there that is not a link. UNKNOWN is how Windows says it.
    if (isMissing(error) || ["EINVAL", "UNKNOWN"].includes(errnoOf(error))) return undefined;
    throw error;
  }
}
