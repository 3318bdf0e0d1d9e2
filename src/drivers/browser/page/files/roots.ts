// Which files a page may be given, and where what comes from it may be written: below the roots, by
// the real paths of both sides, so that no link leads out.

import { lstat, mkdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { errnoOf } from "../../../../lib/errno.js";
import { isBelow } from "../../../../lib/is-below.js";
import { fileMissing, pathOutsideRoot } from "../errors.js";
import type { PageFolders } from "../page-handle.js";

const DEFAULT_NAME = "download";
const MAX_NAME_CHARS = 120;
/** Of names that somebody else chose. */
const ODD_CHARS = /[^\p{L}\p{N} ._()+,=@-]/gu;
const LEADING_DOTS = /^[. ]+/;
const MAX_NUMBERED = 1_000;

/** The real path of a file that may be read. Throws `path_outside_root`, `file_missing`. */
export async function resolveReadable(
  path: string,
  { uploadRoots: roots, closed, artifacts }: PageFolders,
): Promise<string> {
  const real = await realpath(toAbsolute(path, roots)).catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") throw fileMissing(path);
    throw error;
  });
  await assertBelow({ real, path, roots });
  if ((await isIn(real, closed)) && !(await isIn(real, artifacts))) {
    throw pathOutsideRoot(path, roots);
  }
  if (!(await stat(real)).isFile()) throw fileMissing(path);
  return real;
}

/**
 * The real path under which a file may be written; its folder is there. A folder, or a path that ends
 * with a slash, gets the name; a name that somebody else chose never replaces a file.
 */
export async function resolveWritable(request: {
  readonly path: string | undefined;
  readonly roots: readonly string[];
  readonly suggestedName: string;
}): Promise<string> {
  const { path, roots, suggestedName } = request;
  const name = toFileName(suggestedName);
  if (path === undefined) {
    const [root] = roots;
    if (!root) throw pathOutsideRoot(name, roots);
    return freeName(await openFolder({ folder: root, path: name, roots }), name);
  }
  const absolute = toAbsolute(path, roots);
  if (path.endsWith("/") || (await isFolder(absolute))) {
    return freeName(await openFolder({ folder: absolute, path, roots }), name);
  }
  const folder = await openFolder({ folder: dirname(absolute), path, roots });
  return join(folder, basename(absolute));
}

/** Only its last part, without what shells and file systems read as more than a name. */
export function toFileName(suggested: string): string {
  const [last = ""] = suggested.split(/[\\/]/).slice(-1);
  const plain = last.replace(ODD_CHARS, "_").replace(LEADING_DOTS, "").slice(-MAX_NAME_CHARS);
  return plain.trim() || DEFAULT_NAME;
}

/** What is there already must be a file, no link. */
export async function assertReplaceable(path: string, roots: readonly string[]): Promise<void> {
  const facts = await lstat(path).catch(() => undefined);
  if (facts && !facts.isFile()) throw pathOutsideRoot(path, roots);
}

/** Its real path. Looked at before anything is made: a link on the way must not make folders outside. */
async function openFolder(request: {
  readonly folder: string;
  readonly path: string;
  readonly roots: readonly string[];
}): Promise<string> {
  const { folder, path, roots } = request;
  const isRoot = roots.some((root) => resolve(root) === folder);
  if (!isRoot) await assertBelow({ real: await realOfNearest(folder), path, roots, orRoot: "too" });
  await mkdir(folder, { recursive: true });
  const real = await realpath(folder);
  await assertBelow({ real, path, roots, orRoot: "too" });
  return real;
}

/** The real path of the nearest ancestor that is there. */
async function realOfNearest(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real !== undefined || at === dirname(at)) return real ?? at;
  }
}

async function assertBelow(request: {
  readonly real: string;
  readonly path: string;
  readonly roots: readonly string[];
  /** The root itself is good too. */
  readonly orRoot?: "too";
}): Promise<void> {
  const { real, path, roots, orRoot } = request;
  for (const root of roots) {
    const realRoot = await realpath(root).catch(() => undefined);
    if (realRoot === undefined) continue;
    if (isBelow(real, realRoot) || (orRoot && real === realRoot)) return;
  }
  throw pathOutsideRoot(path, roots);
}

async function isIn(real: string, folder: string | undefined): Promise<boolean> {
  if (folder === undefined) return false;
  return isBelow(real, await realpath(folder).catch(() => folder));
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

async function freeName(folder: string, name: string): Promise<string> {
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  for (let number = 1; number <= MAX_NUMBERED; number += 1) {
    const path = join(folder, number === 1 ? name : `${stem} (${number})${ending}`);
    if ((await lstat(path).catch(() => undefined)) === undefined) return path;
  }
  return join(folder, `${stem} (${MAX_NUMBERED})${ending}`);
}

function toAbsolute(path: string, [first = "/"]: readonly string[]): string {
  return isAbsolute(path) ? resolve(path) : resolve(first, path);
}
