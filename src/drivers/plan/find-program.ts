// Finds the executable for a program's name or path, and identifies it.
import { accessSync, constants, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { type ProgramIdentity, refuse, type StepFacts } from "../../core/command/index.js";
import { isInside } from "../../lib/paths.js";
import { assertWholePath, walkPath, wholeRealPath } from "../../lib/system/real-path.js";
import { hashFile } from "./hash.js";
import { linkStatOf, toAbsolute } from "./look.js";

const GROUP_OR_OTHERS = 0o022;
const OTHERS = 0o002;
const STICKY = 0o1000;

export interface FoundProgram extends Pick<StepFacts, "file" | "lookup"> {
  readonly program: ProgramIdentity;
  /** A call can change it there. */
  readonly isInRoot: boolean;
}

export interface ProgramPlace {
  readonly cwd: string;
  readonly root: string;
  readonly searchPath: readonly string[];
  readonly userId: number;
  readonly signal: AbortSignal;
}

/** Refused when there is none. */
export async function findProgram(name: string, place: ProgramPlace): Promise<FoundProgram> {
  const found = await lookForProgram(name, place);
  if (found !== undefined) return found;
  const where = name.includes("/") ? "" : ` in ${place.searchPath.join(":")}`;
  return refuse("unknown_program", `Program "${name}" was not found${where}.`);
}

export async function lookForProgram(
  name: string,
  place: ProgramPlace,
): Promise<FoundProgram | undefined> {
  const lookup = name.includes("/") ? "path" : "search";
  const named =
    lookup === "path"
      ? [toFile(name, place.cwd)]
      : place.searchPath.map((folder) => `${folder}/${name}`);
  const executable = findExecutable(named);
  if (executable === undefined) return undefined;
  const { file, stats } = executable;
  const path = wholeRealPath(file);
  const isInRoot = isInside(path, place.root) || isInside(file, place.root);
  return { file, lookup, isInRoot, program: await identify({ path, stats, place }) };
}

async function identify(found: {
  readonly path: string;
  readonly stats: Stats;
  readonly place: ProgramPlace;
}): Promise<ProgramIdentity> {
  const { path, stats, place } = found;
  const isOpen = isChangeable(stats, place.userId) || isReplaceable(path, place.userId);
  return {
    path,
    device: stats.dev,
    inode: stats.ino,
    sizeBytes: stats.size,
    modifiedMs: stats.mtimeMs,
    ownerId: stats.uid,
    mode: stats.mode,
    ...(isOpen ? { contentHash: await hashFile(path, place.signal) } : {}),
  };
}

/** Resolves links of the folder, which removes dots from the path. */
function toFile(name: string, cwd: string): string | undefined {
  const absolute = toAbsolute(name, cwd);
  const leaf = basename(absolute);
  if (absolute.endsWith("/") || leaf === "." || leaf === "..") return undefined;
  try {
    const folder = wholeRealPath(dirname(absolute));
    return `${folder === "/" ? "" : folder}/${leaf}`;
  } catch {
    // The folder does not exist.
    return undefined;
  }
}

interface Executable {
  readonly file: string;
  readonly stats: Stats;
}

function findExecutable(files: readonly (string | undefined)[]): Executable | undefined {
  for (const file of files) {
    const stats = file === undefined ? undefined : executableStats(file);
    if (file !== undefined && stats !== undefined) return { file, stats };
  }
  return undefined;
}

function executableStats(file: string): Stats | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile()) return undefined;
    accessSync(file, constants.X_OK);
    return stats;
  } catch {
    // Not readable or executable for this user.
    return undefined;
  }
}

function isChangeable({ uid, mode }: Stats, userId: number): boolean {
  return isForeign(uid, userId) || (mode & GROUP_OR_OTHERS) !== 0;
}

/** Whether another user could replace it or a folder above it. */
function isReplaceable(path: string, userId: number): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { uid, mode } = statSync(folder);
    const isOpen = (mode & OTHERS) !== 0 && (mode & STICKY) === 0;
    if (isOpen || isForeign(uid, userId)) return true;
    if (folder === "/") return false;
  }
}

function isForeign(ownerId: number, userId: number): boolean {
  return ownerId !== 0 && ownerId !== userId;
}

const MAX_PATH_CHARS = 4_096;
/** Links there differ between processes. */
const OWN_LINK = /^\/proc\//;

/** undefined for loops, dangling links and links that differ between processes. */
export function findRealPath(path: string, cwd: string): string | undefined {
  const absolute = toAbsolute(path, cwd);
  if (absolute.length > MAX_PATH_CHARS) return undefined;
  const real = tryRealPath(absolute) ?? realPathOfMissing(absolute);
  if (real !== undefined) assertWholePath(real);
  // An unchanged path has no links.
  return real === absolute || !hasOwnLink(absolute) ? real : undefined;
}

function hasOwnLink(absolute: string): boolean {
  try {
    return walkPath(absolute).links.some((link) => OWN_LINK.test(link));
  } catch {
    // Unknown, so assume the worst.
    return true;
  }
}

function tryRealPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    // The caller's next look distinguishes the causes.
    return undefined;
  }
}

function realPathOfMissing(absolute: string): string | undefined {
  const names = absolute.split("/").filter((name) => name !== "" && name !== ".");
  for (let count = names.length - 1; count >= 0; count -= 1) {
    const [next, ...rest] = names.slice(count);
    const parent = `/${names.slice(0, count).join("/")}`;
    const real = tryRealPath(parent);
    if (real === undefined) continue;
    if (next === undefined || next === ".." || rest.includes("..")) return undefined;
    if (linkStatOf(`${real}/${next}`) !== undefined) return undefined;
    return `${real === "/" ? "" : real}/${[next, ...rest].join("/")}`;
  }
  return undefined;
}
