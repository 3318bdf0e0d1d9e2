// Whether a step names what is protected: the paths that its profile found or, where no profile knows
// its arguments, every word that could be a path. Redirects are looked at apart.

import { type BigIntStats, lstatSync } from "node:fs";
import type { PathUse, ProfileReading } from "../../core/command/index.js";
import { type Protection, toPlainPath } from "../../core/files/index.js";
import { findRealPath } from "./real-path.js";

/** They move, remove or put things, most of them into the last folder that they name. */
const MOVERS = /\/(?:mv|cp|ln|install|rm)$/;
const TARGET_OPTION = /^-\w*t|^--t/;
/** They go through the folder that they run in where no other is named; others with this option. */
const WALKERS = /\/(?:find|rg|tree|du)$/;
const WALK_OPTION = /^-\w*[rR]|^--(?:recursive|untracked)$/;

interface NamedPaths {
  /** The program. */
  readonly file: string;
  readonly args: readonly string[];
  readonly reading: ProfileReading | undefined;
}

/** One sentence without its full stop; undefined where everything is free. */
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
    const stats = look(path);
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

/** The whole word and what an option holds: any of it may be written. */
function toUses(word: string): readonly PathUse[] {
  const starts = [0, ...(/^[-+][^-]/.test(word) ? [2, 3, 4] : [])];
  for (let at = word.indexOf("="); at !== -1; at = word.indexOf("=", at + 1)) starts.push(at + 1);
  const pieces = starts.map((start) => word.slice(start)).filter((piece) => piece !== "");
  return pieces.map((piece) => ({ word: piece, use: "write" }));
}

function look(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // What cannot be looked at is judged by its path alone.
    return undefined;
  }
}
