// How the system starts a file: as the binary it is, or by the interpreter that its `#!` line names.
// What that line names inside of the root, and the line of an interpreter there, count too.

import { statSync } from "node:fs";
import { findScriptWord } from "../../core/command/index.js";
import { isInside } from "../../lib/is-inside.js";
import { readHead } from "../../lib/system/read-head.js";
import { type FoundProgram, findProgram, type ProgramPlace } from "./find-program.js";
import { findRealPath } from "./real-path.js";
import { isRefusal } from "./refusal.js";

/** The system looks no further. */
const HEAD_BYTES = 256;
/** This many interpreters of interpreters are followed by the system. */
const MAX_DEPTH = 5;
const BINARY = /^(?:\x7fELF|\xcf\xfa\xed\xfe|\xfe\xed\xfa\xcf|\xca\xfe\xba\xbe)/;
const START_LINE = /^#![ \t]*([^ \t\n\0]+)[ \t]*([^\n\0]*)/;
const ENV = /^\/(?:usr\/)?bin\/env$/;
const SPLIT = /^-S[ \t]*/;
/** Without what env would take for itself or put something else in place of. */
const PLAIN_WORD = /^[\w./+@:,][\w./+@:,-]*$|^-[\w-]+$/;

export interface ProgramStart {
  /** Absent for a binary, and where it is not there. */
  readonly interpreter?: FoundProgram;
  /** What `#!` lines say that may name files of the workspace. */
  readonly words: readonly string[];
  /** A binary, or a script that a known interpreter takes for its script, or is given another. */
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
  const found = await findProgram(name, place);
  const words = (isPlain ? args : [rest]).flatMap((word) => word.split(/[ \t]+/));
  if (isRefusal(found)) return { words: [name, ...words], isKnown: false };
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

/** The system makes one word of all that is behind the first, and looks nowhere but there. */
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
