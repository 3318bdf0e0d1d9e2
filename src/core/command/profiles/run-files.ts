// Which programs may run the files that their arguments name.

import { findProfile, isInterpreter, isNamed, isSteering, type ProgramNames } from "./programs.js";

const PLAIN_WRITERS: ReadonlySet<string> = new Set(
  "cp mv rm ln rmdir unlink dd tee truncate shred csplit chmod chown chgrp chattr setfacl mkfifo mknod mktemp gzip gunzip bzip2 xz unzip kill pkill killall".split(
    " ",
  ),
);

const LISTERS: ReadonlySet<string> = new Set(["xargs", "parallel"]);
const NO_OPTION = /^(?!)/;
const SCRIPT_RUNNERS: readonly ScriptRunner[] = [
  toKind("sh bash dash ash ksh mksh zsh rbash", /^-[efuvx]+$/),
  toKind(
    "node nodejs",
    /^--(?:test|no-warnings|trace-warnings|trace-deprecation|trace-uncaught|throw-deprecation|enable-source-maps|expose-gc|experimental-strip-types)$/,
  ),
  toKind("python pypy", /^-[BbEIOqSsu]+$/),
  toKind("perl", /^-[Ttw]+$/),
  toKind("ruby", /^-w$/),
  toKind("php lua luajit tclsh tsx", NO_OPTION),
];

interface ScriptRunner {
  readonly names: ReadonlySet<string>;
  readonly option: RegExp;
}

export function startsNothing(names: ProgramNames, args: readonly string[]): boolean {
  return findProfile(names)?.read(args).ok === true || isBoth(names, PLAIN_WRITERS);
}

/** The word that an interpreter takes for its script; undefined where that cannot be reported. */
export function findScriptWord(names: ProgramNames, args: readonly string[]): string | undefined {
  const runner = SCRIPT_RUNNERS.find((one) => isBoth(names, one.names));
  if (runner === undefined) return undefined;
  const word = args.find((one) => !runner.option.test(one));
  return word === undefined || word === "" || word.startsWith("-") ? undefined : word;
}

export function findUnnamed(names: ProgramNames, args: readonly string[]): string | undefined {
  if (!isSteering(names)) return undefined;
  // A wrapper may be given its program in one word with the arguments of it.
  const words = args.flatMap((word) => word.split(/\s+/));
  for (const [index, word] of [names.file, ...words].entries()) {
    const program = index === 0 ? names : { file: word, path: word };
    const rest = words.slice(index);
    const name = word.slice(word.lastIndexOf("/") + 1);
    if (isNamed(program, LISTERS)) return `"${name}" takes the names of files from its input`;
    const hasScript = findScriptWord(program, rest) !== undefined;
    if (hasScript && index === 0) return undefined;
    if (hasScript || !isInterpreter(program) || rest.length === 0) continue;
    return `"${name}" may load files that the command does not name`;
  }
  return undefined;
}

function isBoth({ file, path }: ProgramNames, set: ReadonlySet<string>): boolean {
  return isNamed({ file, path: file }, set) && isNamed({ file: path, path }, set);
}

function toKind(names: string, option: RegExp): ScriptRunner {
  return { names: new Set(names.split(" ")), option };
}
