// Reads a repository without git: where it is, its settings, and what in it leads elsewhere.

import { isUtf8 } from "node:buffer";
import {
  accessSync,
  constants,
  type Dirent,
  existsSync,
  lstatSync,
  readdirSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { RepositoryFacts } from "../../../core/command/index.js";
import { isInside } from "../../../lib/paths.js";
import { readPlainFile } from "../../../lib/system/open-plain.js";
import { assertWholePath, wholeRealPath } from "../../../lib/system/real-path.js";
import { findRealPath, type ProgramPlace } from "../find-program.js";
import { listForeignKeys, readConfig, readThroughLinks } from "./read-config.js";

const ODD = new Set(["", ".", "..", ".git"]);
/** In all folders together. */
const MAX_NAMES = 10_000;
/** Object content, and what git itself does not read. */
const UNREAD = /^(?:lfs|annex|(?:modules\/.+\/)?objects\/(?:[0-9a-f]{2}|pack))$/;
const HEADER_BYTES = 12;
const STAT_BYTES = 40;
const EXTENDED = 0x4000;
const LENGTH = 0xfff;
/** None of these adds a name. */
const EXTENSION = /^(?:TREE|REUC|UNTR|FSMN)$/;
const LISTS = ["info/alternates", "info/http-alternates"];
const MAX_LINE_BYTES = 4_096;
const MAX_INDEX_BYTES = 64 * 1024 * 1024;
const HEAD = /^(ref: refs\/\S+|[0-9a-f]{40}|[0-9a-f]{64})\n?$/;
const GIT_FILE = /^gitdir: (.+)\n?$/;
const LINE = /^(.+)\n?$/;

/** undefined without one that is understood. */
export async function readRepository(place: ProgramPlace): Promise<RepositoryFacts | undefined> {
  const { root, signal } = place;
  try {
    const found = await findRepository(place.cwd);
    if (found === undefined) return undefined;
    const { workTree, shared: gitFolder } = found;
    const settings = await readConfig(`${gitFolder}/config`);
    const keys = [...settings.map(([key]) => key), ...(await listForeignKeys(root))];
    const isSha256 = new Map(settings).get("extensions.objectformat") === "sha256";
    // A repository outside the root is refused anyway.
    const isOurs = isInside(gitFolder, root) && isInside(workTree, root);
    const stray = isOurs
      ? await findStray(found, { root, hashBytes: isSha256 ? 32 : 20 })
      : undefined;
    const places = { workTree, gitFolder, keys: [...new Set(keys)].sort() };
    return stray === undefined ? places : { ...places, stray };
  } catch {
    signal.throwIfAborted();
    // Unreadable: nothing is known.
    return undefined;
  }
}

/** Absolute, links resolved. */
interface FoundRepository {
  readonly workTree: string;
  readonly gitFolder: string;
  readonly shared: string;
}

async function findRepository(cwd: string): Promise<FoundRepository | undefined> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (lstatSync(`${folder}/.git`, { throwIfNoEntry: false })) return openRepository(folder);
    // A bare one, which an old git would use.
    const isBare = ["objects", "commondir"].some((name) => existsSync(`${folder}/${name}`));
    if ((isBare && existsSync(`${folder}/HEAD`)) || folder === "/") return undefined;
  }
}

/** Throws unless git would accept it too; else git would search further up. */
async function openRepository(workTree: string): Promise<FoundRepository | undefined> {
  const path = `${workTree}/.git`;
  const target = statSync(path).isDirectory() ? path : await readLine(path, GIT_FILE);
  const gitFolder = toReal(target, workTree);
  await readLine(`${gitFolder}/HEAD`, HEAD);
  const common = `${gitFolder}/commondir`;
  const shared = existsSync(common) ? toReal(await readLine(common, LINE), gitFolder) : gitFolder;
  for (const name of ["objects", "refs"]) accessSync(`${shared}/${name}`, constants.X_OK);
  return isInside(gitFolder, shared) ? { workTree, gitFolder, shared } : undefined;
}

function toReal(path: string, from: string): string {
  return wholeRealPath(path.startsWith("/") ? path : `${from}/${path}`);
}

async function readLine(path: string, form: RegExp): Promise<string> {
  const line = form.exec((await readPlainFile(path, MAX_LINE_BYTES))?.toString() ?? "")?.[1];
  if (line === undefined) throw new Error(`not understood: ${path}`);
  return assertWholePath(line);
}

async function findStray(
  { workTree, gitFolder, shared }: FoundRepository,
  { root, hashBytes }: { readonly root: string; readonly hashBytes: number },
): Promise<string | undefined> {
  if (borrowsObjects(shared)) return "the repository takes objects from another place";
  const link = findStrayLinks(shared, root);
  if (link !== undefined) return link;
  const bytes = await readThroughLinks(`${gitFolder}/index`, MAX_INDEX_BYTES);
  const names = bytes === undefined ? [] : listIndex(bytes, hashBytes);
  return findStrayPath(names, { workTree, root });
}

/** Unreadable counts as borrowed. */
function borrowsObjects(gitFolder: string): boolean {
  const objects = join(gitFolder, "objects");
  try {
    if (wholeRealPath(objects) !== objects) return true;
    const hasList = LISTS.some(
      (name) => lstatSync(join(objects, name), { throwIfNoEntry: false }) !== undefined,
    );
    return hasList || hasLink(objects) || hasLink(join(objects, "pack"));
  } catch {
    // git could not read its objects either.
    return true;
  }
}

function hasLink(folder: string): boolean {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return false;
  return readdirSync(folder, { withFileTypes: true }).some((entry) => entry.isSymbolicLink());
}

/** Throws for an index that is not understood to its end. */
export function listIndex(bytes: Buffer, hashBytes: number): readonly string[] {
  const version = bytes.readUInt32BE(4);
  const isKnown = bytes.toString("latin1", 0, 4) === "DIRC" && (version === 2 || version === 3);
  const end = bytes.length - hashBytes;
  const names: string[] = [];
  let at = HEADER_BYTES;
  for (let left = isKnown ? bytes.readUInt32BE(8) : 0; left > 0; left -= 1) {
    const flags = bytes.readUInt16BE(at + STAT_BYTES + hashBytes);
    const start = at + STAT_BYTES + hashBytes + ((flags & EXTENDED) === 0 ? 2 : 4);
    const name = bytes.subarray(start, bytes.indexOf(0, start));
    // git uses the written length, not the end of the text.
    const isWhole = (flags & LENGTH) === Math.min(name.length, LENGTH) && isUtf8(name);
    if (!isWhole) throw new Error("name of the index not understood");
    names.push(name.toString());
    at += (start - at + name.length + 8) & ~7;
  }
  while (at < end && EXTENSION.test(bytes.toString("latin1", at, at + 4))) {
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  if (!isKnown || at !== end) throw new Error("index not understood");
  return names;
}

function findStrayLinks(gitFolder: string, root: string): string | undefined {
  const folders = [""];
  let left = MAX_NAMES;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = listFolder(join(gitFolder, folder));
    if (entries === undefined) return `a folder of the repository cannot be looked at: "${folder}"`;
    left -= entries.length;
    if (left < 0) return "the repository has more names than are looked at";
    for (const entry of entries) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !UNREAD.test(name)) folders.push(name);
      if (entry.isSymbolicLink() && isStray(join(gitFolder, name), { gitFolder, root })) {
        return `the repository has a link that leads out of it: "${name}"`;
      }
    }
  }
  return undefined;
}

function listFolder(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Gone or unreadable.
    return undefined;
  }
}

interface Places {
  readonly gitFolder: string;
  readonly root: string;
}

/** A linked folder may have links of its own; a dangling link may get a target. */
function isStray(link: string, { gitFolder, root }: Places): boolean {
  try {
    const real = wholeRealPath(link);
    return !isInside(real, statSync(real).isDirectory() ? gitFolder : root);
  } catch {
    // It leads nowhere yet.
    return true;
  }
}

function findStrayPath(
  names: readonly string[],
  { workTree, root }: { readonly workTree: string; readonly root: string },
): string | undefined {
  const seen = new Set<string>();
  for (const name of names) {
    const parts = name.split("/");
    if (parts.some((part) => ODD.has(part)) || leadsOut(parts, { workTree, root, seen })) {
      return `its index has a name that leads out of it: "${name}"`;
    }
  }
  return undefined;
}

interface Look {
  readonly workTree: string;
  readonly root: string;
  readonly seen: Set<string>;
}

function leadsOut(parts: readonly string[], { workTree, root, seen }: Look): boolean {
  for (let count = parts.length - 1; count > 0; count -= 1) {
    const folder = parts.slice(0, count).join("/");
    // Its parents were checked with it.
    if (seen.has(folder)) return false;
    seen.add(folder);
    if (isStrayFolder(join(workTree, folder), root)) return true;
  }
  return false;
}

function isStrayFolder(folder: string, root: string): boolean {
  try {
    if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return false;
  } catch {
    // git reads nothing below an unreadable path.
    return false;
  }
  const real = findRealPath(folder, "/");
  return real === undefined || !isInside(real, root);
}
