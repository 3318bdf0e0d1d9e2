// A program that the system itself ends with this process. The pipe ends a browser too, but only one
// that reads it: not one that is stopped, hung, or busy with what a page throws at it.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isExecutable } from "../../../lib/system/is-executable.js";
import { shellQuote } from "../../../lib/system/shell-quote.js";

const SETPRIV_PLACES = ["/usr/bin/setpriv", "/bin/setpriv"];
const FILE_NAME = "start";
const FILE_MODE = 0o700;

/** A file in `folder` that becomes the program at `path`; `path` itself where that cannot be. */
export async function tieToProcess(path: string, folder: string): Promise<string> {
  const setpriv = SETPRIV_PLACES.find(isExecutable);
  if (process.platform !== "linux" || setpriv === undefined) return path;
  const file = join(folder, FILE_NAME);
  const words = [setpriv, "--pdeathsig", "KILL", "--", path].map(shellQuote).join(" ");
  await writeFile(file, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: FILE_MODE, flag: "wx" });
  // Not on a file system from which nothing may be started.
  return isExecutable(file) ? file : path;
}
