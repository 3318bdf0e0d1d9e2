// Finds the programs that contain others. Only folders of the system are looked at: what a workspace
// or a user's PATH offers under the same name must never be the one that contains it.

import { join } from "node:path";
import { isExecutable } from "../../lib/system/is-executable.js";

const SYSTEM_FOLDERS = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"];

/** The absolute path, or undefined when the system has no such program. */
export function findSystemProgram(name: string): string | undefined {
  return SYSTEM_FOLDERS.map((folder) => join(folder, name)).find(isExecutable);
}
