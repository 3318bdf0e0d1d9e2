// Which texts are one program of the system with plain words behind it: it can be started without
// bash, which would do nothing but start it.

import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { errnoOf } from "../../../lib/errno.js";
import { isExecutable } from "../../../lib/system/is-executable.js";
import type { LaunchWork } from "./inner-script.js";

const MAX_CHARS = 1_000;
/** No character means anything to a shell, and the first word is no assignment. */
const PLAIN_WORDS = /^ *[a-zA-Z0-9_][\w.+-]*(?: +[\w./:=,+@%^-]+)* *$/;
/** Nothing that runs later is there, and nothing that a command could change. */
const SYSTEM_FOLDERS = [
  "/usr/local/sbin",
  "/usr/local/bin",
  "/usr/sbin",
  "/usr/bin",
  "/sbin",
  "/bin",
];
/** How a program begins, rather than a script, which bash may run in its own way. */
const PROGRAM_HEAD = "\x7fELF";
/** What bash does itself, or reads as something else than a command. */
const OF_BASH = new Set(
  (
    "alias bg bind break builtin caller case cd command compgen complete compopt continue coproc " +
    "declare dirs disown do done echo elif else enable esac eval exec exit export false fc fg fi for " +
    "function getopts hash help history if in jobs kill let local logout mapfile popd printf pushd " +
    "pwd read readarray readonly return select set shift shopt source suspend test then time times " +
    "trap true type typeset ulimit umask unalias unset until wait while"
  ).split(" "),
);

/** The program and its arguments; undefined for all that bash has to read. */
export function directWork(text: string, searchPath: readonly string[]): LaunchWork | undefined {
  if (text.length > MAX_CHARS || !PLAIN_WORDS.test(text)) return undefined;
  const [name = "", ...others] = text.trim().split(/ +/);
  if (OF_BASH.has(name)) return undefined;
  const folder = searchPath.find((one) => existsSync(`${one}/${name}`));
  if (folder === undefined || !SYSTEM_FOLDERS.includes(folder)) return undefined;
  const path = `${folder}/${name}`;
  if (!isExecutable(path) || !isProgram(path)) return undefined;
  return { kind: "argv", argv: [name, ...others] };
}

function isProgram(path: string): boolean {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, "r");
    const head = Buffer.alloc(PROGRAM_HEAD.length);
    readSync(descriptor, head, 0, head.byteLength, 0);
    return head.toString("latin1") === PROGRAM_HEAD;
  } catch (error) {
    if (errnoOf(error) === "") throw error;
    return false;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
