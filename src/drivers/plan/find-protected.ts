// Whether a step names protected paths: those of its profile, else every word that could be one.
import { type BigIntStats, lstatSync, statSync } from "node:fs";
import {
  findScriptWord,
  type PathUse,
  type PlanRedirect,
  type ProfileReading,
  refuse,
  type ScannedRedirect,
} from "../../core/command/index.js";
import { howToFree, type Protection, toPlainPath } from "../../core/files/index.js";
import { isInside } from "../../lib/paths.js";
import { readHead } from "../../lib/system/open-plain.js";
import {
  type FoundProgram,
  findRealPath,
  lookForProgram,
  type ProgramPlace,
} from "./find-program.js";
import { linkStatOf } from "./look.js";

/** They put things into the last folder that they name. */
const MOVERS = /\/(?:mv|cp|ln|install|rm)$/;
const TARGET_OPTION = /^-\w*t|^--t/;
/** They walk the working folder unless another is named; others do with this option. */
const WALKERS = /\/(?:find|rg|tree|du)$/;
const WALK_OPTION = /^-\w*[rR]|^--(?:recursive|untracked)$/;

interface NamedPaths {
  readonly file: string;
  readonly args: readonly string[];
  readonly reading: ProfileReading | undefined;
}

/** A sentence without its full stop. */
export function findProtected(
  { file, args, reading }: NamedPaths,
  { cwd, protection }: { readonly cwd: string; readonly protection: Protection },
): string | undefined {
  const has = (option: RegExp) => args.some((word) => option.test(word));
  const uses = reading?.ok === true ? reading.paths : args.flatMap(toUses);
  const isBare = uses.length === 0 || /\/find$/.test(file);
  const walks = isBare && (WALKERS.test(file) || has(WALK_OPTION));
  const folder = protection.findRead(cwd) ?? (walks ? protection.findReadBelow(cwd) : undefined);
  if (folder !== undefined) return `the folder it works in is protected: ${folder}`;
  const isMover = MOVERS.test(file);
  if (isMover && has(TARGET_OPTION)) return "the folder that it puts things into is not clear";
  for (const [index, { word, use }] of uses.entries()) {
    const path = findRealPath(word, cwd) ?? toPlainPath(word, cwd);
    const stats = linkStatOf(path);
    const isLast = index > 0 && index === uses.length - 1 && !/\/rm$/.test(file);
    const isTarget = isLast && stats?.isDirectory() === true;
    const moved = isTarget ? uses.map((one) => `${path}/${lastName(one.word)}`) : [path];
    const name =
      (use === "write" ? protection.findChange(path, stats) : undefined) ??
      protection.findRead(path, stats) ??
      protection.findReadBelow(path) ??
      (isMover ? moved.map((one) => protection.findMoved(one)).find(Boolean) : undefined);
    if (name !== undefined) return `"${word}" is protected: ${name}`;
  }
  return undefined;
}

function lastName(word: string): string {
  return word.replace(/\/+$/, "").replace(/^.*\//s, "");
}

/** Words without a profile: any of them may be written. */
function toUses(word: string): readonly PathUse[] {
  const starts = [0, ...(/^[-+][^-]/.test(word) ? [2, 3, 4] : [])];
  for (let at = word.indexOf("="); at !== -1; at = word.indexOf("=", at + 1)) starts.push(at + 1);
  const pieces = starts.map((start) => word.slice(start)).filter((piece) => piece !== "");
  return pieces.map((piece) => ({ word: piece, use: "write" }));
}

const NULL_DEVICE = "/dev/null";

export function settleRedirect(
  redirect: ScannedRedirect,
  place: { readonly cwd: string; readonly root: string; readonly protection: Protection },
): PlanRedirect {
  if (redirect.kind === "duplicate") return redirect;
  const { kind, fd, target } = redirect;
  const { text } = target;
  if (text === NULL_DEVICE) return { kind, fd, path: NULL_DEVICE };
  const path = /\/\.{0,2}$|^\.{1,2}$/.test(text) ? undefined : findRealPath(text, place.cwd);
  // A shell opens some names below /dev itself.
  if (path === undefined || !isInside(path, place.root) || /^\/(?:dev|proc)\//.test(text)) {
    refuse("redirect_outside_root", `The redirect to "${text}" does not stay in the root.`);
  }
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const why = judgeFile(stats, kind);
  if (why) refuse("redirect_file", `The redirect to "${text}" is not possible: ${why}.`);
  const { protection } = place;
  const sealed = protection.findRead(path, stats);
  if (sealed) refuse("redirect_protected", `"${text}" is protected: ${sealed} is not read.`);
  const name = kind === "read" ? undefined : protection.findChange(path, stats);
  if (name === undefined) return { kind, fd, path };
  const message = `The redirect to "${text}" would change ${name}, which is protected; choose another path${howToFree(name)}.`;
  return refuse("redirect_protected", message);
}

function judgeFile(
  stats: BigIntStats | undefined,
  kind: "read" | "write" | "append",
): string | undefined {
  if (stats === undefined) return undefined;
  if (!stats.isFile()) return "it is not a regular file";
  return kind !== "read" && stats.nlink > 1n ? "the file has another name elsewhere" : undefined;
}

/** As in Linux. */
const HEAD_BYTES = 256;
/** As in Linux. */
const MAX_DEPTH = 5;
const BINARY = /^(?:\x7fELF|\xcf\xfa\xed\xfe|\xfe\xed\xfa\xcf|\xca\xfe\xba\xbe)/;
const START_LINE = /^#![ \t]*([^ \t\n\0]+)[ \t]*([^\n\0]*)/;
const ENV = /^\/(?:usr\/)?bin\/env$/;
const SPLIT = /^-S[ \t]*/;
/** Not special to env. */
const PLAIN_WORD = /^[\w./+@:,][\w./+@:,-]*$|^-[\w-]+$/;

export interface ProgramStart {
  /** Absent for a binary, or when it is missing. */
  readonly interpreter?: FoundProgram;
  readonly words: readonly string[];
  /** A binary, or a script whose interpreter gets it as its script. */
  readonly isKnown: boolean;
}

export async function findStart(path: string, place: ProgramPlace): Promise<ProgramStart> {
  const start = await readStart(path, place);
  const words = [...start.words];
  let next = start.interpreter;
  for (let depth = 1; depth < MAX_DEPTH && next?.isInRoot; depth += 1) {
    const further = await readStart(next.program.path, place);
    words.push(...further.words);
    next = further.interpreter;
  }
  const isBinary = start.interpreter?.isInRoot
    ? BINARY.test(readHead(start.interpreter.program.path, HEAD_BYTES))
    : true;
  return { ...start, words, isKnown: start.isKnown && isBinary };
}

async function readStart(path: string, place: ProgramPlace): Promise<ProgramStart> {
  const head = readHead(path, HEAD_BYTES);
  const match = START_LINE.exec(head);
  if (match === null) return { words: [], isKnown: BINARY.test(head) };
  const [line, first = "", tail = ""] = match;
  const rest = tail.replace(/[ \t]+$/, "");
  const isCut = line.length === HEAD_BYTES;
  const { name, args, isPlain } = ENV.test(first) ? readEnv(rest) : readLine(first, rest);
  const found = await lookForProgram(name, place);
  const words = (isPlain ? args : [rest]).flatMap((word) => word.split(/[ \t]+/));
  if (found === undefined) return { words: [name, ...words], isKnown: false };
  return {
    interpreter: found,
    words: isInside(found.program.path, place.root) ? [name, ...words] : words,
    isKnown: isPlain && !isCut && takesScript({ found, args, path }, place),
  };
}

interface StartLine {
  readonly name: string;
  readonly args: readonly string[];
  readonly isPlain: boolean;
}

/** Linux passes everything after the interpreter as one word. */
function readLine(first: string, rest: string): StartLine {
  const name = first.includes("/") ? first : `./${first}`;
  return { name, args: rest === "" ? [] : [rest], isPlain: true };
}

function readEnv(rest: string): StartLine {
  const text = rest.replace(SPLIT, "");
  const words = text === rest ? [rest] : text.split(/[ \t]+/);
  const [name = "", ...args] = words;
  return { name, args, isPlain: words.every((word) => PLAIN_WORD.test(word)) && name[0] !== "-" };
}

interface Taken {
  readonly found: FoundProgram;
  readonly args: readonly string[];
  readonly path: string;
}

function takesScript({ found, args, path }: Taken, { cwd, root }: ProgramPlace): boolean {
  const names = { file: found.file, path: found.program.path };
  const script = findScriptWord(names, [...args, path]);
  if (script === undefined || script === path) return script === path;
  const real = findRealPath(script, cwd);
  const isFile = real !== undefined && statSync(real, { throwIfNoEntry: false })?.isFile();
  return isFile === true && isInside(real, root);
}
