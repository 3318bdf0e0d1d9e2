// Where a path really lies, also when its end does not exist yet. Dots are followed as the system does
// it, through links, and never by the text.

import { lstatSync, realpathSync } from "node:fs";

/** The system takes no longer ones. */
const MAX_PATH_CHARS = 4_096;

/** Undefined where it cannot be told: a loop, a link to nothing, dots behind what is missing. */
export function findRealPath(path: string, cwd: string): string | undefined {
  const absolute = path.startsWith("/") ? path : `${cwd}/${path}`;
  if (absolute.length > MAX_PATH_CHARS) return undefined;
  return tryRealPath(absolute) ?? realPathOfMissing(absolute);
}

function tryRealPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    // Whether it is missing or cannot be read is told apart by the caller's next look.
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
