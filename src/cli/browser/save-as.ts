// A file that the tool made, saved where the person wants it.

import { copyFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { errnoOf } from "../../lib/errno.js";
import { makeFolder } from "../../lib/make-folder.js";
import { toPrintable } from "../../lib/printable.js";
import { readText } from "../../lib/read-field.js";
import { UsageError } from "../failure.js";
import type { DaemonAnswer } from "./daemon/message.js";

/** Less what the person takes from all new folders. */
const FOLDER_MODE = 0o777;
export const MAX_PATH_CHARS = 4_096;

/** The folder is made; what the system refuses is said in its word. Throws a UsageError. */
export async function saveAs(
  file: string,
  { answer, isMoved = false }: { readonly answer: DaemonAnswer; readonly isMoved?: boolean },
): Promise<void> {
  const path = readText(answer.details, "path");
  if (path === undefined) throw new Error("The answer has no file");
  try {
    await makeFolder(dirname(file), FOLDER_MODE);
    await copyFile(path, file);
    if (isMoved && path !== file) await rm(path, { force: true });
  } catch (error) {
    const why = errnoOf(error);
    if (why === "") throw error;
    const shown = toPrintable(file, MAX_PATH_CHARS);
    throw new UsageError(`It cannot be saved as ${shown} (${why}); name another file.`);
  }
}
