// Whether this user may run a file. On a file system from which nothing may be started no one may.

import { accessSync, constants } from "node:fs";

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there, or not ours to run: both mean that it cannot be used.
    return false;
  }
}
