// What is started inside of a containment: a shell that sets the limits, says that it is there,
// waits for the word to go and then runs the command, so that nothing runs before it is written
// down, and nothing at all when this process has died.

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
/** Characters without a meaning of their own, simple variables, and quoted text without any. */
const PIECE = String.raw`(?:[\w./:=,+@%^-]|\$[A-Za-z_?]|'[^'\n]*'|"(?:[^"$\\!\`\n]|\$[A-Za-z_?])*")`;

const PLAIN = new RegExp(
  `^ *(?:${PIECE}+)(?: +${PIECE}+)*(?: *; *(?:${PIECE}+)(?: +${PIECE}+)*)* *$`,
);

/** In this order; `-p` keeps functions and start-up files of the environment out. */
const SHELL_OPTIONS = ["--noprofile", "--norc", "-p", "-c"];
/** Said where the output goes when the inside is there. */
export const READY_BYTE = 6;
/** The descriptor by which the inside is asked to go. */
export const GO_FD = 3;
/** The shell's exit code when no one said go. */
const NO_GO_EXIT_CODE = 97;
/** The system takes words of 128 KiB; a longer text is a word of its own. */
const MAX_JOINED_CHARS = 32_000;
/** What this process has open must not reach the command, anyone who opened it and left it open. */
const CLOSE_BESIDE_GO = closeDescriptorsFrom(GO_FD + 1);
const CLOSE_IN_TERMINAL = closeDescriptorsFrom(GO_FD);
/** The small shell can name no others. */
const CLOSE_SMALL = "exec 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-";
const WAIT = `printf "\\00${READY_BYTE}"; IFS= read -r ${SHELL_VARIABLE} <&${GO_FD} || exit ${NO_GO_EXIT_CODE}; exec ${GO_FD}<&-`;
const PIPE_HANDSHAKE = `${WAIT}; unset ${SHELL_VARIABLE}`;
/** Shells read a descriptor byte by byte, so a long line would cost more than a start. */
const MAX_LINE_CHARS = 1_000;

export type LaunchWork =
  /** One program, without a shell between. */
  | { readonly kind: "argv"; readonly argv: readonly [string, ...string[]] }
  /** Words for bash. */
  | { readonly kind: "script"; readonly text: string }
  /** Not known yet: the start signal is a line with the program and its arguments. */
  | { readonly kind: "later" };

export interface Shells {
  readonly bash: string;
  /** Starts in half the time, for commands that need no shell of their own. */
  readonly small: string | undefined;
}

/** undefined without bash. */
export function findShells(): Shells | undefined {
  const bash = findSystemProgram("bash");
  return bash === undefined ? undefined : { bash, small: findSystemProgram("dash") };
}

interface InnerRequest {
  readonly work: LaunchWork;
  readonly shells: Shells;
  readonly setupScript: string;
  /** For the small shell. */
  readonly smallSetupScript: string;
  readonly startsInit: boolean;
  /** Shell words for the handshake; by the descriptor when absent. */
  readonly handshake?: string;
  /** Of the environment: what only the command is to have, by the small shell. Needs no quotes. */
  readonly language?: Readonly<Record<string, string>>;
}

/** What to say instead of "go" to work that is reported; undefined when it does not fit in a line. */
export function tellWork(work: LaunchWork, shells: Shells): string | undefined {
  const line = argvOf(work, shells).map(quoteWord).join(" ");
  return line.length > MAX_LINE_CHARS || /[\n\0]/.test(line) ? undefined : line;
}

export function innerCommand(request: InnerRequest): [string, ...string[]] {
  const { work, shells, setupScript, smallSetupScript, startsInit } = request;
  const { handshake = work.kind === "later" ? WAIT : PIPE_HANDSHAKE } = request;
  // A program closes its terminal a moment before it ends, which would be taken for a hang-up of it:
  // there the shell stays and keeps the terminal open.
  const isTerminal = request.handshake !== undefined;
  const close = isTerminal ? CLOSE_IN_TERMINAL : CLOSE_BESIDE_GO;
  const before = joinWords([close, setupScript, handshake]);
  if (work.kind === "script" && !startsInit) {
    const words = isTerminal ? evalWords(before, work.text) : scriptWords(before, work.text);
    return [shells.bash, ...SHELL_OPTIONS, ...words];
  }
  // A first process ignores most signals, so there the shell of a script is a child of it.
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
  // A text may begin with "-". The messages of bash begin with the name at the end.
  return work.kind === "argv" ? work.argv : [bash, ...SHELL_OPTIONS, "--", work.text, "bash"];
}

function endScript({ isLater, stays }: { readonly isLater: boolean; readonly stays: boolean }) {
  if (isLater) {
    return stays ? `eval "$${SHELL_VARIABLE}"; exit $?` : `eval "exec $${SHELL_VARIABLE}"`;
  }
  return stays ? '"$@"; exit $?' : 'exec "$@"';
}

/** It knows nothing of languages, so that one can be set in it without being loaded. */
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

/** Where it finds a descriptor that it cannot name, bash takes its place: rare, and slower. */
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

/**
 * bash reads and runs line by line, so the text is not even read before the word to go; and the last
 * program of such a text takes the place of bash, which it does not after `eval`. bash counts the
 * line before in its messages, so a text that cannot fail to be read is on that line itself.
 */
function scriptWords(before: string, text: string): string[] {
  if (isPlainLine(text)) return [`${before}; ${text}`, "bash"];
  return text.length <= MAX_JOINED_CHARS ? [`${before}\n${text}`, "bash"] : evalWords(before, text);
}

function evalWords(before: string, text: string): string[] {
  return [`${before}; eval "$1"`, "bash", `shift${isPlainLine(text) ? ";" : "\n"}${text}`];
}

/** Simple commands, one or several behind each other, in one line. */
function isPlainLine(text: string): boolean {
  if (text.length > MAX_CHARS || !PLAIN.test(text)) return false;
  return !text.split(/[ ;]+/).some((word) => RESERVED_WORDS.has(word));
}

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
