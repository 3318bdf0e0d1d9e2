// Which programs may run the files that their arguments name: all but those whose profile knows the
// arguments, and those that only copy, move, remove or mark files.

import { findProfile, isNamed, type ProgramNames } from "./programs.js";

/** They write what they are told to, and start nothing. */
const PLAIN_WRITERS: ReadonlySet<string> = new Set(
  "cp mv rm ln rmdir unlink dd tee truncate shred csplit chmod chown chgrp chattr setfacl mkfifo mknod mktemp gzip gunzip bzip2 xz unzip kill pkill killall".split(
    " ",
  ),
);

const NO_OPTION = /^(?!)/;
/** What they run is the first word behind such options, and no file that they look for themselves. */
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
  /** Options without a value that name nothing to run. */
  readonly option: RegExp;
}

function isPlainWriter(names: ProgramNames): boolean {
  return isBoth(names, PLAIN_WRITERS);
}

/** Its profile knows the arguments: with them it runs nothing else. */
function isKnownHarmless(names: ProgramNames, args: readonly string[]): boolean {
  return findProfile(names)?.read(args).ok === true;
}

/** With these arguments it runs nothing but itself, as far as a profile or a list says. */
export function startsNothing(names: ProgramNames, args: readonly string[]): boolean {
  return isKnownHarmless(names, args) || isPlainWriter(names);
}

/** The word that an interpreter takes for its script; undefined where that cannot be told. */
export function findScriptWord(names: ProgramNames, args: readonly string[]): string | undefined {
  const runner = SCRIPT_RUNNERS.find((one) => isBoth(names, one.names));
  if (runner === undefined) return undefined;
  const word = args.find((one) => !runner.option.test(one));
  return word === undefined || word === "" || word.startsWith("-") ? undefined : word;
}

function isBoth({ file, path }: ProgramNames, set: ReadonlySet<string>): boolean {
  return isNamed({ file, path: file }, set) && isNamed({ file: path, path }, set);
}

function toKind(names: string, option: RegExp): ScriptRunner {
  return { names: new Set(names.split(" ")), option };
}
