// A place in the workspace that gets a mount of its own in the sandbox, and whether what is there
// in the end is what was looked at.
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  type Stats,
  statfsSync,
} from "node:fs";
import { dirname } from "node:path";
import { ToolError } from "../../../core/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { lazy } from "../../../lib/lazy.js";
import { isInside } from "../../../lib/paths.js";

/** From the weakest to the strongest. `held` is written as before, but stays where it is. */
const STRENGTHS = ["held", "read-only", "hidden"] as const;
type PlaceKind = (typeof STRENGTHS)[number];

/** The fifth word of a line. Only blanks and line feeds part words here, which a path has as numbers. */
const MOUNT_POINT = /(?:^|\n)(?:[^ \n]+ ){4}([^ \n]+)/g;
/** What the system calls a file system in memory. */
const MEMORY_FILES = 0x0102_1994;
const NO_RIGHTS = ["EACCES", "EPERM"];

export interface Place {
  readonly path: string;
  readonly kind: PlaceKind;
  readonly device: number;
  readonly inode: number;
  /** File or folder: a number may be given again, to a link too. */
  readonly isFolder: boolean;
}

/** undefined when nothing is there, or neither a file nor a folder. */
export function lookAt(path: string, kind: PlaceKind): Place | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !(found.isDirectory() || found.isFile())) return undefined;
  return { path, kind, device: found.dev, inode: found.ino, isFolder: found.isDirectory() };
}

/**
 * The place, and before it every folder on the way to it: a folder that is not a mount could be moved
 * away with all that is in it, and another put in its place.
 */
export function withFolders(place: Place, root: string): Place[] {
  const places = [place];
  for (let folder = dirname(place.path); isBelowRoot(folder, root); folder = dirname(folder)) {
    const held = lookAt(folder, "held");
    if (held?.isFolder !== true) throw unprotected(`"${folder}" is not a folder`);
    places.unshift(held);
  }
  return places;
}

function isBelowRoot(path: string, root: string): boolean {
  return path !== root && isInside(path, root);
}

/** One for each path, the strongest, from the outside in; nothing that a stronger one holds already. */
export function mergePlaces(places: readonly Place[]): Place[] {
  const strongest = new Map<string, Place>();
  for (const place of places) {
    const known = strongest.get(place.path);
    if (known === undefined || isStronger(place, known)) strongest.set(place.path, place);
  }
  const merged = [...strongest.values()].sort((one, other) => one.path.length - other.path.length);
  return merged.filter(
    (place) =>
      !merged.some(
        (other) =>
          other !== place &&
          isInside(place.path, other.path) &&
          !isStronger(place, other) &&
          other.kind !== "held",
      ),
  );
}

function isStronger(one: Place, other: Place): boolean {
  return STRENGTHS.indexOf(one.kind) > STRENGTHS.indexOf(other.kind);
}

/** bwrap's words for it. */
export function mountWords({ path, kind }: Place): string[] {
  if (kind === "hidden") return ["--perms", "0555", "--tmpfs", path, "--remount-ro", path];
  return [kind === "held" ? "--bind" : "--ro-bind", path, path];
}

/**
 * Why what is mounted there is not what was meant, in the namespace of this process. A mount is gone
 * once someone outside has put another file in the place of what it is on.
 */
export function findPlaceFault(places: readonly Place[], pid: number): string | undefined {
  const mounts = lazy(() => readMountPoints(pid));
  const isSound = (place: Place) =>
    isAsMeant(place, pid) && (isSurelyMounted(place, pid) || mounts().has(place.path));
  const wrong = places.find((place) => !isSound(place));
  return wrong && `"${wrong.path}" was changed while the sandbox was made; try again`;
}

function isAsMeant({ path, device, inode, isFolder, kind }: Place, pid: number): boolean {
  const mounted = lookInside(path, pid);
  if (mounted === undefined) return false;
  const isRightKind = isFolder ? mounted.isDirectory() : mounted.isFile();
  if (kind === "hidden") return isRightKind && mounted.dev !== device;
  return isRightKind && mounted.dev === device && mounted.ino === inode;
}

/**
 * Whether the mount itself can be reported by what it does. The list of all mounts is asked for only
 * where it cannot: while others mount, as when many commands start, anyone who reads it waits.
 */
function isSurelyMounted(place: Place, pid: number): boolean {
  const inside = toInside(place.path, pid);
  try {
    if (place.kind === "read-only") accessSync(inside, constants.W_OK);
    // Another device than what it is on, so no folder that was moved there.
    if (place.kind === "hidden") return statfsSync(inside).type === MEMORY_FILES;
  } catch (error) {
    if (errnoOf(error) === "") throw error;
    if (place.kind === "read-only" && errnoOf(error) === "EROFS") return true;
  }
  const folder = lookInside(dirname(place.path), pid);
  return folder !== undefined && folder.dev !== place.device;
}

/** None where they cannot be read: then nothing is as it was meant. */
function readMountPoints(pid: number): ReadonlySet<string> {
  try {
    const text = readFileSync(`/proc/${pid}/mountinfo`, "utf8");
    return new Set(Array.from(text.matchAll(MOUNT_POINT), ([, path = ""]) => unescapePath(path)));
  } catch (error) {
    if (errnoOf(error) === "") throw error;
    return new Set();
  }
}

/** The system writes blanks and backslashes of a path as octal numbers. */
function unescapePath(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 8)),
  );
}

/** undefined also where it cannot be reached: then it is not what was looked at before. */
function lookInside(path: string, pid: number): Stats | undefined {
  try {
    return lstatSync(toInside(path, pid), { throwIfNoEntry: false });
  } catch (error) {
    if (errnoOf(error) === "") throw error;
    return undefined;
  }
}

function toInside(path: string, pid: number): string {
  return `/proc/${pid}/root${path}`;
}

/** The error for a machine that cannot run commands safely. */
export function unprotected(problem: string): ToolError {
  return new ToolError(
    "failed",
    `The command could not be started: ${problem}, so that a command in the sandbox could put something else there.`,
    { reason: "launch_failed" },
  );
}

/** Of what must be looked at the system says no. Other errors are given back as they are. */
export function unreachable(error: unknown): unknown {
  const errno = errnoOf(error);
  if (errno === "") return error;
  const path: unknown = Reflect.get(Object(error), "path");
  const what = typeof path === "string" ? `"${path}"` : "a protected place";
  const next = NO_RIGHTS.includes(errno)
    ? "a command may have taken its rights away, and the user can give them back (chmod u+rwx of the folder)"
    : "try again";
  return new ToolError(
    "failed",
    `The command could not be started: ${what} cannot be looked at (${errno}); ${next}.`,
    { reason: "launch_failed", cause: error },
  );
}

/** Linux; Node does not export it. */
const O_PATH = 0o10000000;
const FLAGS = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export interface PinnedFolder {
  /** Leads to this very folder; a name is put behind it with "/". */
  readonly door: string;
  readonly userId: number;
  readonly groupId: number;
  close(): void;
}

/**
 * undefined when it is not the folder that was looked at, or no longer is there. The path must be
 * without links. Throws the system's error.
 */
export function pinFolder({ path, device, inode }: Place): PinnedFolder | undefined {
  const descriptor = openSync(path, FLAGS);
  let isRight = false;
  try {
    const door = `/proc/self/fd/${descriptor}`;
    const { dev, ino, uid, gid } = fstatSync(descriptor);
    // A folder on the way may have become a link to somewhere outside before it was looked at.
    isRight = dev === device && ino === inode && readlinkSync(door) === path;
    if (!isRight) return undefined;
    return { door, userId: uid, groupId: gid, close: () => closeSync(descriptor) };
  } finally {
    if (!isRight) closeSync(descriptor);
  }
}
