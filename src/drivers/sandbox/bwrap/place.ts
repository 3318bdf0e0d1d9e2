// A place in the workspace with its own mount in the sandbox, and a check that it is the right one.
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

/** Weakest first. `held` stays writable, but cannot be moved. */
const STRENGTHS = ["held", "read-only", "hidden"] as const;
type PlaceKind = (typeof STRENGTHS)[number];

/** The fifth word of a line; blanks in paths are escaped. */
const MOUNT_POINT = /(?:^|\n)(?:[^ \n]+ ){4}([^ \n]+)/g;
/** TMPFS_MAGIC. */
const MEMORY_FILES = 0x0102_1994;
const NO_RIGHTS = ["EACCES", "EPERM"];

export interface Place {
  readonly path: string;
  readonly kind: PlaceKind;
  readonly device: number;
  readonly inode: number;
  /** An inode number may be reused. */
  readonly isFolder: boolean;
}

/** undefined for anything but a file or a folder. */
export function lookAt(path: string, kind: PlaceKind): Place | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !(found.isDirectory() || found.isFile())) return undefined;
  return { path, kind, device: found.dev, inode: found.ino, isFolder: found.isDirectory() };
}

/** With every folder on the way: a folder that is not a mount could be replaced. */
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

/** The strongest of each path, outermost first, without those that a stronger one covers. */
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

export function mountWords({ path, kind }: Place): string[] {
  if (kind === "hidden") return ["--perms", "0555", "--tmpfs", path, "--remount-ro", path];
  return [kind === "held" ? "--bind" : "--ro-bind", path, path];
}

/** Compares the mounts of this process with what was meant; returns the first difference. */
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

/** Tested directly where possible, because reading the list of mounts waits for other mounts. */
function isSurelyMounted(place: Place, pid: number): boolean {
  const inside = toInside(place.path, pid);
  try {
    if (place.kind === "read-only") accessSync(inside, constants.W_OK);
    // A moved folder would be on the same device.
    if (place.kind === "hidden") return statfsSync(inside).type === MEMORY_FILES;
  } catch (error) {
    if (errnoOf(error) === "") throw error;
    if (place.kind === "read-only" && errnoOf(error) === "EROFS") return true;
  }
  const folder = lookInside(dirname(place.path), pid);
  return folder !== undefined && folder.dev !== place.device;
}

function readMountPoints(pid: number): ReadonlySet<string> {
  try {
    const text = readFileSync(`/proc/${pid}/mountinfo`, "utf8");
    return new Set(Array.from(text.matchAll(MOUNT_POINT), ([, path = ""]) => unescapePath(path)));
  } catch (error) {
    if (errnoOf(error) === "") throw error;
    return new Set();
  }
}

/** Blanks and backslashes are octal there. */
function unescapePath(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 8)),
  );
}

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

export function unprotected(problem: string): ToolError {
  return new ToolError(
    "failed",
    `The command could not be started: ${problem}, so that a command in the sandbox could put something else there.`,
    { reason: "launch_failed" },
  );
}

/** An error for an unreachable place; other errors pass unchanged. */
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
  /** Append "/name". */
  readonly door: string;
  readonly userId: number;
  readonly groupId: number;
  close(): void;
}

/** undefined when it is another folder. `path` has no links. Throws the system's error. */
export function pinFolder({ path, device, inode }: Place): PinnedFolder | undefined {
  const descriptor = openSync(path, FLAGS);
  let isRight = false;
  try {
    const door = `/proc/self/fd/${descriptor}`;
    const { dev, ino, uid, gid } = fstatSync(descriptor);
    // A parent may have become a link meanwhile.
    isRight = dev === device && ino === inode && readlinkSync(door) === path;
    if (!isRight) return undefined;
    return { door, userId: uid, groupId: gid, close: () => closeSync(descriptor) };
  } finally {
    if (!isRight) closeSync(descriptor);
  }
}
