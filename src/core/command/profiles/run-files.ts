// Which programs may run the files that their arguments name: all but those whose profile knows the
// arguments, and those that only copy, move, remove or mark files.

import { findProfile, isNamed, isSteering, type ProgramNames } from "./programs.js";

/** They write what they are told to, and start nothing. */
const PLAIN_WRITERS: ReadonlySet<string> = new Set(
  "cp mv rm ln rmdir unlink dd tee truncate shred csplit chmod chown chgrp chattr setfacl mkfifo mknod mktemp gzip gunzip bzip2 xz unzip kill pkill killall".split(
    " ",
  ),
);

const NO_OPTION = /^(?!)/;
/** What they run is the first word behind such options. */
const SCRIPT_RUNNERS: readonly ScriptRunner[] = [
  toKind("sh bash dash ash ksh mksh zsh rbash", /^-[efuvx]+$/),
  toKind(
    "node nodejs",
    /^--(?:test|no-warnings|trace-warnings|trace-deprecation|trace-uncaught|throw-deprecation|enable-source-maps|expose-gc|experimental-strip-types)$/,
  ),
  toKind("python pypy", /^-[BbEIOqSsu]+$/),
  toKind("perl", /^-[Ttw]+$/),
  toKind("ruby", /^-w$/),
  toKind("php lua luajit tclsh tsx ts-node rscript", NO_OPTION),
];

interface ScriptRunner {
  readonly names: ReadonlySet<string>;
  /** Options without a value that name nothing to run. */
  readonly option: RegExp;
}

export function isPlainWriter(names: ProgramNames): boolean {
  return isBoth(names, PLAIN_WRITERS);
}

/** Its profile knows the arguments: with them it runs nothing else. */
export function isKnownHarmless(names: ProgramNames, args: readonly string[]): boolean {
  return findProfile(names)?.read(args).ok === true;
}

/** Known to start other programs, and not known not to with these arguments. */
export function mayStartOthers(names: ProgramNames, args: readonly string[]): boolean {
  return isSteering(names) && !isPlainWriter(names) && !isKnownHarmless(names, args);
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
