// Names and places inside a root that no call may change: they decide what programs run, or what
// this library allows. Reading them is free.

import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { configPath, stateDir } from "../../config/index.js";
import { createNameFinder, PROTECTED_NAMES } from "../../core/index.js";
import { relativeInside } from "./contained-path.js";
import { isMissing } from "./errors.js";

/** How Windows shortens `.git`. */
const SHORT_GIT = /(^|\/)git~\d+(?=\/|$)/gi;

export interface Protection {
  /** The name of what protects this place; undefined when it may be changed. */
  find(realPath: string): string | undefined;
}

export interface ProtectionOptions {
  /** A name protects itself at any depth; what has a slash is a place, relative to `base`. */
  readonly protect: readonly string[] | undefined;
  /** Where relative paths of callers start. */
  readonly base: string;
}

export async function createProtection(options: ProtectionOptions): Promise<Protection> {
  const listed = options.protect ?? [...PROTECTED_NAMES, ...findOwnPlaces()];
  const findName = createNameFinder(listed.filter(isName));
  const base = await toRealPath(options.base);
  const given = listed.filter((text) => !isName(text)).map((text) => resolve(options.base, text));
  const places = [...given, ...(await Promise.all(given.map(toRealPath)))];

  return {
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
function findOwnPlaces(): string[] {
  try {
    const place = { env: process.env, homeDir: homedir(), cwd: process.cwd() };
    return [stateDir(place), configPath(place)];
  } catch {
    // No home folder and no variable: then there is no such place.
    return [];
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
