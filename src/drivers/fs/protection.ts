// Names and places inside a root that no call may change: they decide what programs run, or what
// this library allows. Reading them is free, but for the databases of the state.

import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { configPath, stateDir } from "../../config/index.js";
import { createNameFinder, PROTECTED_NAMES } from "../../core/files/index.js";
import { isMissing } from "../../lib/errno.js";
import { findOwnCode } from "../../lib/system/own-code.js";
import { relativeInside } from "./contained-path.js";
import { createSealedFiles, type SealedFiles } from "./sealed-files.js";

/** How Windows shortens `.git`. */
const SHORT_GIT = /(^|\/)git~\d+(?=\/|$)/gi;

export interface Protection extends SealedFiles {
  /** The name of what protects this place; undefined when it may be changed. */
  find(realPath: string): string | undefined;
}

export interface ProtectionOptions {
  /** A name protects itself at any depth; what has a slash is a place, relative to `base`. */
  readonly protect?: readonly string[] | undefined;
  /** Added to the list, whichever it is. */
  readonly alsoProtect?: readonly string[] | undefined;
  /** Whose databases are not read; default: that of this user. */
  readonly stateDir?: string | undefined;
  /** Where relative paths of callers start. */
  readonly base: string;
}

export async function createProtection(options: ProtectionOptions): Promise<Protection> {
  const own = findOwnPlaces();
  const state = options.stateDir ?? own?.stateDir;
  const ownPlaces = own === undefined ? [] : [own.stateDir, own.configPath];
  const first = options.protect ?? [...PROTECTED_NAMES, ...ownPlaces];
  const base = await toRealPath(options.base);
  const listed = [...first, ...(options.alsoProtect ?? []), ...findOwnCode(base)];
  const findName = createNameFinder(listed.filter(isName));
  const given = listed.filter((text) => !isName(text)).map((text) => resolve(options.base, text));
  const places = [...given, ...(await Promise.all(given.map(toRealPath)))];
  const sealed = createSealedFiles(state === undefined ? [] : [await toRealPath(state)]);

  return {
    ...sealed,
    find(realPath) {
      const below = relativeInside(base, realPath);
      const name = findName(toLongNames(below ?? realPath.replaceAll(sep, "/")));
      if (name !== undefined) return name;
      const place = places.find((one) => holds(one, { realPath, base, below }));
      return place === undefined ? undefined : basename(place);
    },
  };
}

/** A root that lies inside a protected place is there on purpose: its own content stays free. */
function holds(
  place: string,
  { realPath, base, below }: { realPath: string; base: string; below: string | undefined },
): boolean {
  if (relativeInside(place, realPath) === undefined) return false;
  const isRootWithin = place !== base && relativeInside(place, base) !== undefined;
  return !(isRootWithin && below !== undefined);
}

/** The state folder and the config file of this user. */
function findOwnPlaces() {
  try {
    const place = { env: process.env, homeDir: homedir(), cwd: process.cwd() };
    return { stateDir: stateDir(place), configPath: configPath(place) };
  } catch {
    // No home folder and no variable: then there is no such place.
    return undefined;
  }
}

function isName(text: string): boolean {
  return !text.includes("/") && !text.includes(sep) && !isAbsolute(text);
}

function toLongNames(path: string): string {
  return sep === "\\" ? path.replace(SHORT_GIT, "$1.git") : path;
}

/** Where a path leads, also when its last names do not exist yet. */
async function toRealPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isMissing(error) || parent === path) return path;
    return join(await toRealPath(parent), basename(path));
  }
}
