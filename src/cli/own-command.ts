// What a person has to type for this program: its name where the shell finds it, else its place. Texts
// that name a command say it in these words.

import { realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { isExecutable } from "../lib/system/find-system-program.js";
import { shellQuote } from "../lib/system/shell-words.js";

const NAME = "clawtools";
/** A command in backquotes; there may be several, with semicolons. */
const IN_SENTENCE = /(?<=`(?:[^`]*; )?)clawtools (?=[a-z])/g;
const AT_START = /^clawtools (?=[a-z])/;

/** `program`: the file that Node runs. */
export function readOwnCommand(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  if (folders.some((folder) => isExecutable(join(folder, NAME)))) return NAME;
  return `${shellQuote(process.execPath)} ${shellQuote(toRealPath(program))}`;
}

/** A line that is a command, such as `clawtools doctor`, as it can be typed here. */
export function toOwnCommand(line: string, ownCommand: string): string {
  return line.replace(AT_START, () => `${ownCommand} `);
}

/** The same for the commands in backquotes of a sentence. */
export function inOwnWords(sentence: string, ownCommand: string): string {
  return sentence.replace(IN_SENTENCE, () => `${ownCommand} `);
}

function toRealPath(program: string): string {
  try {
    return realpathSync(program);
  } catch {
    // Removed since it was started; the words for it matter no more.
    return program;
  }
}
