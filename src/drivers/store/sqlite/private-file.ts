// Makes a file, and the folders above it, for this user alone.

import { chmodSync, closeSync, constants, openSync, statSync } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { errnoOf } from "../../../lib/errno.js";
import { makeFolder } from "../../../lib/make-folder.js";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const OTHERS_MASK = 0o077;

/**
 * Never opens a file that is there: closing it again would drop the locks that a connection of this
 * process has on it.
 */
export async function makePrivateFile(file: string): Promise<void> {
  const folder = dirname(file);
  await makeFolder(folder, FOLDER_MODE);
  // SQLite makes files of its own in it, and would not say why it cannot.
  await access(folder, constants.W_OK | constants.X_OK);
  try {
    closeSync(openSync(file, "wx", FILE_MODE));
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    if ((statSync(file).mode & OTHERS_MASK) !== 0) chmodSync(file, FILE_MODE);
  }
}
