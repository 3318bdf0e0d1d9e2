// The shell inside a containment: it sets limits, reports ready and waits for the start signal.

import { existsSync } from "node:fs";
import {
  RESERVED_WORDS,
  SHELL_BUILTINS,
  SHELL_DUPLICATES,
  SYSTEM_FOLDERS,
} from "../../../core/command/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { findSystemProgram, isExecutable } from "../../../lib/system/find-system-program.js";
import { readHead } from "../../../lib/system/open-plain.js";
import {
  closeDescriptorsFrom,
  quoteWord,
  SHELL_VARIABLE,
} from "../../../lib/system/shell-words.js";

const MAX_CHARS = 1_000;
/** Plain characters, simple variables, and quoted text without expansions. */
const PIECE = String.raw`(?:[\w./:=,+@%^-]|\$[A-Za-z_?]|'[^'\n]*'|"(?:[^"$\\!\`\n]|\$[A-Za-z_?])*")`;

const PLAIN = new RegExp(
  `^ *(?:${PIECE}+)(?: +${PIECE}+)*(?: *; *(?:${PIECE}+)(?: +${PIECE}+)*)* *$`,
);

/** `-p` ignores functions and start-up files of the environment. */
const SHELL_OPTIONS = ["--noprofile", "--norc", "-p", "-c"];
export const READY_BYTE = 6;
export const GO_FD = 3;
const NO_GO_EXIT_CODE = 97;
/** Linux limits one argument to 128 KiB; a longer text is passed apart. */
const MAX_JOINED_CHARS = 32_000;
/** Descriptors that leaked into this process must not reach the command. */
const CLOSE_BESIDE_GO = closeDescriptorsFrom(GO_FD + 1);
const CLOSE_IN_TERMINAL = closeDescriptorsFrom(GO_FD);
/** dash cannot name descriptors above 9. */
const CLOSE_SMALL = "exec 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-";
const WAIT = `printf "\\00${READY_BYTE}"; IFS= read -r ${SHELL_VARIABLE} <&${GO_FD} || exit ${NO_GO_EXIT_CODE}; exec ${GO_FD}<&-`;
const PIPE_HANDSHAKE = `${WAIT}; unset ${SHELL_VARIABLE}`;
/** A shell reads its input byte by byte, so long lines are slow. */
const MAX_LINE_CHARS = 1_000;

export type LaunchWork =
  | { readonly kind: "argv"; readonly argv: readonly [string, ...string[]] }
  | { readonly kind: "script"; readonly text: string }
  /** Not known yet: the start signal is a line with the program and its arguments. */
  | { readonly kind: "later" };

export interface Shells {
  readonly bash: string;
  /** dash, which starts in half the time. */
  readonly small: string | undefined;
}

export function findShells(): Shells | undefined {
  const bash = findSystemProgram("bash");
  return bash === undefined ? undefined : { bash, small: findSystemProgram("dash") };
}

interface InnerRequest {
  readonly work: LaunchWork;
  readonly shells: Shells;
  readonly setupScript: string;
  readonly smallSetupScript: string;
  readonly startsInit: boolean;
  /** Default: through the descriptor. */
  readonly handshake?: string;
  /** Set by the small shell for the command only; values need no quotes. */
  readonly language?: Readonly<Record<string, string>>;
}

/** The start signal of work that is sent later; undefined when it does not fit in one line. */
export function tellWork(work: LaunchWork, shells: Shells): string | undefined {
  const line = argvOf(work, shells).map(quoteWord).join(" ");
  return line.length > MAX_LINE_CHARS || /[\n\0]/.test(line) ? undefined : line;
}

export function innerCommand(request: InnerRequest): [string, ...string[]] {
  const { work, shells, setupScript, smallSetupScript, startsInit } = request;
  const { handshake = work.kind === "later" ? WAIT : PIPE_HANDSHAKE } = request;
  // A program closes its terminal just before it ends; the shell keeps it open.
  const isTerminal = request.handshake !== undefined;
  const close = isTerminal ? CLOSE_IN_TERMINAL : CLOSE_BESIDE_GO;
  const before = joinWords([close, setupScript, handshake]);
  if (work.kind === "script" && !startsInit) {
    const words = isTerminal ? evalWords(before, work.text) : scriptWords(before, work.text);
    return [shells.bash, ...SHELL_OPTIONS, ...words];
  }
  // PID 1 ignores most signals, so a script runs in a child.
  const argv = argvOf(work, shells);
  const last = endScript({ isLater: work.kind === "later", stays: startsInit || isTerminal });
  const words = `${before}; ${last}`;
  if (shells.small === undefined || !usesSmallShell(request)) {
    return [shells.bash, ...SHELL_OPTIONS, words, "bash", ...argv];
  }
  const given = exportWords(request.language ?? {});
  const ownWords = joinWords([smallSetupScript, handshake, last]);
  const script = smallWords({ bashWords: words, words: ownWords, given });
  return [shells.small, "-c", script, shells.bash, ...argv];
}

function argvOf(work: LaunchWork, { bash }: Shells): readonly string[] {
  if (work.kind === "later") return [];
  // The text may begin with "-". bash begins its messages with the last word.
  return work.kind === "argv" ? work.argv : [bash, ...SHELL_OPTIONS, "--", work.text, "bash"];
}

function endScript({ isLater, stays }: { readonly isLater: boolean; readonly stays: boolean }) {
  if (isLater) {
    return stays ? `eval "$${SHELL_VARIABLE}"; exit $?` : `eval "exec $${SHELL_VARIABLE}"`;
  }
  return stays ? '"$@"; exit $?' : 'exec "$@"';
}

/** dash has no locale, so one can be set for the command only. */
export function usesSmallShell({ work, shells, startsInit, handshake }: InnerRequest) {
  if (work.kind === "script" && !startsInit) return false;
  return shells.small !== undefined && handshake === undefined;
}

function joinWords(words: readonly string[]): string {
  return words.filter((one) => one !== "").join("; ");
}

function exportWords(variables: Readonly<Record<string, string>>): string {
  const words = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return words.length === 0 ? "" : `export ${words.join(" ")}`;
}

/** If a descriptor is open that dash cannot name, bash runs instead. */
function smallWords(parts: {
  readonly bashWords: string;
  readonly words: string;
  readonly given: string;
}): string {
  const becomeBash = `exec "$0" ${SHELL_OPTIONS.join(" ")} '${parts.bashWords}' bash "$@"`;
  const word = SHELL_VARIABLE;
  const look = `for ${word} in /proc/self/fd/??*; do [ ! -h "$${word}" ] || ${becomeBash}; done; unset ${word}`;
  return joinWords([parts.given, CLOSE_SMALL, look, parts.words]);
}

/** bash reads line by line: text on a second line is read only after the start signal. */
function scriptWords(before: string, text: string): string[] {
  if (isPlainLine(text)) return [`${before}; ${text}`, "bash"];
  return text.length <= MAX_JOINED_CHARS ? [`${before}\n${text}`, "bash"] : evalWords(before, text);
}

function evalWords(before: string, text: string): string[] {
  return [`${before}; eval "$1"`, "bash", `shift${isPlainLine(text) ? ";" : "\n"}${text}`];
}

/** Simple commands separated by semicolons. */
function isPlainLine(text: string): boolean {
  if (text.length > MAX_CHARS || !PLAIN.test(text)) return false;
  return !text.split(/[ ;]+/).some((word) => RESERVED_WORDS.has(word));
}

const PLAIN_WORDS = /^ *[a-zA-Z0-9_][\w.+-]*(?: +[\w./:=,+@%^-]+)* *$/;
/** ELF. bash may run a script in its own way. */
const PROGRAM_HEAD = "\x7fELF";
const OF_BASH = [SHELL_BUILTINS, SHELL_DUPLICATES, RESERVED_WORDS];

/** undefined for anything that needs bash. */
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
