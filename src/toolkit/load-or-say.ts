// Imports of ours at their first use: never begun without room for the files they open.

import { tooManyOpenFiles } from "../core/index.js";
import { isOutOfFiles, loadWithRoom } from "../lib/open-files.js";

/** Rejects with a ToolError when no file descriptors are left. */
export async function loadOrSay<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await loadWithRoom(load);
  } catch (error) {
    throw isOutOfFiles(error) ? tooManyOpenFiles(error) : error;
  }
}
