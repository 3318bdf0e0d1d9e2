// Relations between paths, by their text alone.

import { isAbsolute, relative, sep } from "node:path";

export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

export function isInside(path: string, folder: string): boolean {
  if (path === folder || folder === "/") return true;
  return path.startsWith(`${folder}/`);
}

interface JoinLimit {
  /** What the joined text may hold, without the words about the rest. */
  readonly maxChars: number;
  readonly describeRest: (count: number) => string;
}

export function joinWithin(pieces: readonly string[], limit: JoinLimit): string {
  let chars = 0;
  const over = pieces.findIndex((piece) => {
    chars += piece.length;
    return chars > limit.maxChars;
  });
  if (over === -1) return pieces.join("");
  return pieces.slice(0, over).join("") + limit.describeRest(pieces.length - over);
}
