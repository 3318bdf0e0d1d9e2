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
