// Whether a step names what is protected: the paths that its profile found or, where no profile knows
// its arguments, every word that could be a path. Redirects are looked at apart.

import { type BigIntStats, lstatSync } from "node:fs";
import type { PathUse, ProfileReading } from "../../core/command/index.js";
import { type Protection, toPlainPath } from "../../core/files/index.js";
import { findRealPath } from "./real-path.js";

const MOVERS = /\/(?:mv|rm)$/;
/** They put things into the last folder that they name, by the names that they have. */
const PUTTERS = /\/(?:mv|cp|ln|install)$/;
const TARGET_OPTION = /^-\w*t|^--t/;
/** They go through the folder that they run in where no other is named; some only with an option. */
const WALKERS = /\/(?:find|rg|tree|du)$/;
const FURTHER_WALKERS = /\/(?:[ef]?grep|git|ls|v?dir)$/;
const WALK_OPTION = /^-\w*[rR]|^--(?:recursive|untracked)$/;

export interface NamedPaths {
  /** The program. */
  readonly file: string;
  readonly args: readonly string[];
  readonly reading: ProfileReading | undefined;
}

interface NamedPath extends PathUse {
  readonly path: string;
  readonly stats: BigIntStats | undefined;
}

/** One sentence without its full stop; undefined where everything is free. */
export function findProtected(
  named: NamedPaths,
  { cwd, protection }: { readonly cwd: string; readonly protection: Protection },
): string | undefined {
  const { args, reading } = named;
  const uses = reading?.ok === true ? reading.paths : args.flatMap(toUses);
  const paths = uses.map((use): NamedPath => {
    const path = findRealPath(use.word, cwd) ?? toPlainPath(use.word, cwd);
    return { ...use, path, stats: look(path) };
  });
  const folder =
    protection.findRead(cwd) ?? (walks(named, paths) ? protection.findReadBelow(cwd) : undefined);
  if (folder !== undefined) return `the folder it works in is protected: ${folder}`;
  for (const { word, use, path, stats } of paths) {
    const name =
      (use === "write" ? protection.findChange(path, stats) : undefined) ??
      protection.findRead(path, stats) ??
      protection.findReadBelow(path);
    if (name !== undefined) return `"${word}" is protected: ${name}`;
  }
  if (PUTTERS.test(named.file) && args.some((word) => TARGET_OPTION.test(word))) {
    return "the folder that it puts things into is not clear";
  }
  const moved = movedPaths(named.file, paths).map((path) => protection.findMoved(path));
  const name = moved.find((one) => one !== undefined);
  return name && `it would move, remove or replace what is protected: ${name}`;
}

function walks({ file, args }: NamedPaths, paths: readonly NamedPath[]): boolean {
  const isBare = paths.length === 0 || (/\/find$/.test(file) && /^-/.test(args[0] ?? ""));
  const isAsked = FURTHER_WALKERS.test(file) && args.some((word) => WALK_OPTION.test(word));
  return isBare && (WALKERS.test(file) || isAsked);
}

/** With what names become in the folder that they are put into. */
function movedPaths(file: string, paths: readonly NamedPath[]): readonly string[] {
  const target = PUTTERS.test(file) ? paths.at(-1) : undefined;
  const moved = MOVERS.test(file) ? paths.filter((one) => one !== target) : [];
  const isFolder = target?.stats?.isDirectory() === true;
  const put = isFolder ? paths.map(({ word }) => `${target.path}/${lastName(word)}`) : [];
  const others = isFolder || target === undefined ? moved : [...moved, target];
  return [...others.map(({ path }) => path), ...put];
}

function lastName(word: string): string {
  const plain = word.replace(/\/+$/, "");
  return plain.slice(plain.lastIndexOf("/") + 1);
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
