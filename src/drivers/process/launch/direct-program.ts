// Which texts are one program of the system with plain words behind it: it can be started without
// bash, which would do nothing but start it.

import { existsSync } from "node:fs";
import {
  RESERVED_WORDS,
  SHELL_BUILTINS,
  SHELL_DUPLICATES,
  SYSTEM_FOLDERS,
} from "../../../core/command/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { isExecutable } from "../../../lib/system/is-executable.js";
import { readHead } from "../../../lib/system/read-head.js";
import type { LaunchWork } from "./inner-script.js";

const MAX_CHARS = 1_000;
/** No character means anything to a shell, and the first word is not an assignment. */
const PLAIN_WORDS = /^ *[a-zA-Z0-9_][\w.+-]*(?: +[\w./:=,+@%^-]+)* *$/;
/** How a program begins, rather than a script, which bash may run in its own way. */
const PROGRAM_HEAD = "\x7fELF";
/** What bash does itself, or reads as something else than a command. */
const OF_BASH = [SHELL_BUILTINS, SHELL_DUPLICATES, RESERVED_WORDS];

/** The program and its arguments; undefined for all that bash has to read. */
export function directWork(text: string, searchPath: readonly string[]): LaunchWork | undefined {
  if (text.length > MAX_CHARS || !PLAIN_WORDS.test(text)) return undefined;
  const [name = "", ...others] = text.trim().split(/ +/);
  if (OF_BASH.some((words) => words.has(name))) return undefined;
  const folder = searchPath.find((one) => existsSync(`${one}/${name}`));
  if (folder === undefined || !SYSTEM_FOLDERS.includes(folder)) return undefined;
  const path = `${folder}/${name}`;
  if (!isExecutable(path) || !isProgram(path)) return undefined;
  return { kind: "argv", argv: [name, ...others] };
}

function isProgram(path: string): boolean {
  try {
    return readHead(path, PROGRAM_HEAD.length) === PROGRAM_HEAD;
  } catch (error) {
    if (errnoOf(error) === "") throw error;
    return false;
  }
}
