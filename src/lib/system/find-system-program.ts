// Finds programs in system folders only; a workspace or PATH must not replace them.

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
    return false;
  }
}
