// Links in the folder of a repository that lead out of the root: git reads the files there by their
// names, and what it shows of them would come from elsewhere. Objects are looked at apart.

import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../../lib/is-inside.js";

/** In all folders together. */
const MAX_NAMES = 10_000;
/** Content by its hash, and what git itself does not read. */
const UNREAD = /^(?:lfs|annex|(?:modules\/.+\/)?objects\/(?:[0-9a-f]{2}|pack))$/;

/** `gitFolder` is absolute, with links resolved. One sentence without its full stop. */
export function findStrayLinks(gitFolder: string, root: string): string | undefined {
  const folders = [""];
  let left = MAX_NAMES;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = listFolder(join(gitFolder, folder));
    if (entries === undefined) return `a folder of the repository cannot be looked at: "${folder}"`;
    left -= entries.length;
    if (left < 0) return "the repository has more names than are looked at";
    for (const entry of entries) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !UNREAD.test(name)) folders.push(name);
      if (entry.isSymbolicLink() && isStray(join(gitFolder, name), { gitFolder, root })) {
        return `the repository has a link that leads out of it: "${name}"`;
      }
    }
  }
  return undefined;
}

function listFolder(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Gone meanwhile or not to be read: nothing is known about it.
    return undefined;
  }
}

interface Places {
  readonly gitFolder: string;
  readonly root: string;
}

/** A folder elsewhere may have links of its own, and a link to nothing may get something. */
function isStray(link: string, { gitFolder, root }: Places): boolean {
  try {
    const real = realpathSync.native(link);
    return !isInside(real, statSync(real).isDirectory() ? gitFolder : root);
  } catch {
    // It leads nowhere yet.
    return true;
  }
}
