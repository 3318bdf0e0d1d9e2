// The real path of a file as text. A name that is not UTF-8 would come as U+FFFD, which may name another
// file, so such a path is refused.

import { realpathSync } from "node:fs";

/** Throws the system's error, or one that names the path. */
export function wholeRealPath(path: string): string {
  return assertWholePath(realpathSync.native(path));
}

export function assertWholePath(path: string): string {
  if (!path.includes("\uFFFD")) return path;
  throw new Error(`a name on the path ${JSON.stringify(path)} is not UTF-8`);
}
