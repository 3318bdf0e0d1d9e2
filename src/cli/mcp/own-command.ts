// What a person has to type for this program: its name where the shell finds it, else its place.

import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { shellQuote } from "../../lib/system/shell-quote.js";

const NAME = "clawtools";

/** `program`: the file that Node runs. */
export function readOwnCommand(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  if (folders.some((folder) => isReachable(join(folder, NAME)))) return NAME;
  return `${shellQuote(process.execPath)} ${shellQuote(realpathSync(program))}`;
}

function isReachable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // Missing, or no program: the shell looks on as well.
    return false;
  }
}
