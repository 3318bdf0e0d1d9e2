// Where a path really is, also when its end does not exist yet. Dots are followed as the system does
// it, through links, and never by the text.

import { lstatSync, realpathSync } from "node:fs";
import { walkPath } from "../../lib/system/walk-path.js";
import { assertWholePath } from "../../lib/system/whole-real-path.js";

/** The system takes no longer ones. */
const MAX_PATH_CHARS = 4_096;
/** A link there, such as /proc/self/cwd, leads each process elsewhere: here it leads where we are. */
const OWN_LINK = /^\/proc\//;

/**
 * Undefined where it cannot be reported: a loop, a link to nothing, dots behind what is missing, a link
 * that each process has for itself. Throws for a name that is not UTF-8.
 */
export function findRealPath(path: string, cwd: string): string | undefined {
  const absolute = path.startsWith("/") ? path : `${cwd}/${path}`;
  if (absolute.length > MAX_PATH_CHARS) return undefined;
  const real = tryRealPath(absolute) ?? realPathOfMissing(absolute);
  if (real !== undefined) assertWholePath(real);
  // Only what is written otherwise than it is can have a link in it.
  return real === absolute || !hasOwnLink(absolute) ? real : undefined;
}

function hasOwnLink(absolute: string): boolean {
  try {
    return walkPath(absolute).links.some((link) => OWN_LINK.test(link));
  } catch {
    // What cannot be looked at on the way is not known to be the same for others.
    return true;
  }
}

function tryRealPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    // Whether it is missing or cannot be read is distinguished by the caller's next look.
    return undefined;
  }
}

function realPathOfMissing(absolute: string): string | undefined {
  const names = absolute.split("/").filter((name) => name !== "" && name !== ".");
  for (let count = names.length - 1; count >= 0; count -= 1) {
    const [next, ...rest] = names.slice(count);
    const parent = `/${names.slice(0, count).join("/")}`;
    const real = tryRealPath(parent);
    if (real === undefined) continue;
    if (next === undefined || next === ".." || rest.includes("..")) return undefined;
    if (!isMissing(`${real}/${next}`)) return undefined;
    return `${real === "/" ? "" : real}/${[next, ...rest].join("/")}`;
  }
  return undefined;
}

function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    // Below a file there is nothing.
    return true;
  }
}
