// Whether one path of this machine is below another. Both are real paths; the folder itself is not.

import { isAbsolute, relative, sep } from "node:path";

export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
