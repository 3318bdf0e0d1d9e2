// Finds the programs that this process runs for itself. Only folders of the system are looked at: what
// a workspace or a PATH offers under the same name must never be run.

import { accessSync, constants } from "node:fs";
import { join } from "node:path";

const SYSTEM_FOLDERS = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"];

/** The absolute path, or undefined when the system has no such program. */
export function findSystemProgram(name: string): string | undefined {
  return SYSTEM_FOLDERS.map((folder) => join(folder, name)).find(isExecutable);
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there, or not ours to run: both mean that it cannot be used.
    return false;
  }
}
