// What a person types for this program: its name if it is in PATH, else its path.

import { realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { isExecutable } from "../lib/system/find-system-program.js";
import { shellQuote } from "../lib/system/shell-words.js";

const NAME = "clawtools";
/** A command in backquotes; there may be several, with semicolons. */
const IN_SENTENCE = /(?<=`(?:[^`]*; )?)clawtools (?=[a-z])/g;
const AT_START = /^clawtools (?=[a-z])/;

export function readOwnCommand(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  if (folders.some((folder) => isExecutable(join(folder, NAME)))) return NAME;
  return `${shellQuote(process.execPath)} ${shellQuote(toRealPath(program))}`;
}

/** For a line that is a command. */
export function toOwnCommand(line: string, ownCommand: string): string {
  return line.replace(AT_START, () => `${ownCommand} `);
}

/** For commands in backquotes. */
export function inOwnWords(sentence: string, ownCommand: string): string {
  return sentence.replace(IN_SENTENCE, () => `${ownCommand} `);
}

function toRealPath(program: string): string {
  try {
    return realpathSync(program);
  } catch {
    // Removed since it was started.
    return program;
  }
}
