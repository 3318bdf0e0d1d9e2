// The containing folder of a bridge: found once, at first use, and recognised again before every
// operation. Its descriptor lives as long as one operation, so a bridge has nothing to close.

import type { BigIntStats } from "node:fs";
import { realpath, statfs } from "node:fs/promises";
import { join, posix } from "node:path";
import {
  assertWholeName,
  outsideRoot,
  type Protection,
  pathProtected,
  pathSealed,
} from "../../core/files/index.js";
import { ToolError } from "../../core/index.js";
import { isMissing } from "../../lib/errno.js";
import { toPrintable } from "../../lib/printable.js";
import { isOutOfFiles } from "../../lib/system/file-descriptors.js";
import { type PathStart, parseContainedPath, relativeInside } from "./contained-path.js";
import { assertMissingInside, rootReplaced } from "./errors.js";
import {
  choosePinPath,
  isSameFile,
  type Pin,
  type PinPath,
  pinByDescriptor,
  pinNow,
} from "./pin.js";
import { createMachineProtection, type ProtectionOptions } from "./protection.js";

const PATH_CACHE_MS = 1_000;
const MAX_CACHED_PATHS = 4_096;

/** As `statfs` of Linux tells them: ext, XFS, Btrfs, F2FS, bcachefs, ZFS, overlays, memory. */
const LOCAL_TYPES: ReadonlySet<number> = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0xca451a4e, 0x2fc12fc1],
  ...[0x794c7630, 0x01021994, 0x858458f6],
]);

export interface Root {
  readonly pin: Pin;
  readonly realPath: string;
  readonly pinPath: PinPath;
  locate(use: RootUse): Target;
  /** Pins the file or folder at `relative` below the root; throws when links lead out. */
  pinInside(target: Target): Promise<Pin>;
  /** The same, synchronously where possible, for a path that was just resolved. */
  pinPassed(target: Target): Promise<Pin>;
  /** The path to `realPath` below the root; undefined when it is not in it. */
  wayTo(realPath: string): string | undefined;
  /** A name that was just listed in a local folder, and is not a link, needs no other thread. */
  noteListed(folder: Pin, name: string): void;
  /** Throws when the path, existing or not, is protected. `path` is for the message. */
  assertMayChange(realPath: string, path: string): void;
  /** Throws when what is pinned may not be opened. `path` is for the message. */
  assertMayRead(pin: Pin, path: string): void;
}

export interface Target {
  readonly relative: string;
  readonly namesFolder: boolean;
  readonly path: string;
}

export interface RootOptions extends PathStart, ProtectionOptions {
  readonly container: string;
  readonly pinPath?: PinPath | undefined;
}

interface Identity {
  readonly realPath: string;
  readonly stats: BigIntStats;
  readonly pinPath: PinPath;
  readonly localDevice: bigint | undefined;
  readonly protection: Protection;
}

export interface RootUse {
  readonly filePath: string;
  readonly cwd?: string;
}

/** Places below the root, relative, whose ways were just gone to their ends. */
export type Passed = ReadonlySet<string>;

export type WithRoot = <T>(work: (root: Root) => Promise<T>, passed?: Passed) => Promise<T>;

export function createWithRoot(options: RootOptions): WithRoot {
  let identity: Promise<Identity> | undefined;
  let identified: Identity | undefined;
  const pathCache = createPathCache();

  async function identify(): Promise<Identity> {
    identity ??= readIdentity(options);
    try {
      identified = await identity;
      return identified;
    } catch (error) {
      // A root that is made later is found later.
      identity = undefined;
      throw error;
    }
  }

  return async (work, passed) => {
    const known = identified ?? (await identify());
    const pinned = pinRootPath(known);
    const pin = assertKnownRoot(pinned instanceof Promise ? await pinned : pinned, known);
    try {
      return await work(describeRoot({ pin, known, options, passed, pathCache }));
    } finally {
      pin.close();
    }
  };
}

/** Pins the target; undefined when it does not exist and its path stays inside the root. */
export async function pinExisting(root: Root, target: Target): Promise<Pin | undefined> {
  try {
    return await root.pinInside(target);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await assertMissingInside(root, target);
  return undefined;
}

async function readIdentity(options: RootOptions): Promise<Identity> {
  const pinPath = options.pinPath ?? (await choosePinPath());
  const canonical = await realpath(options.container).catch((error: unknown) => {
    throw isMissing(error) ? rootMissing(options.container, error) : error;
  });
  const pin = await pinPath(canonical);
  try {
    if (!pin.stats.isDirectory()) throw rootMissing(options.container);
    const protection = await createMachineProtection(options);
    const { realPath, stats } = pin;
    const localDevice = pinPath === pinByDescriptor ? await findLocalDevice(pin) : undefined;
    return { realPath, stats, pinPath, localDevice, protection };
  } finally {
    pin.close();
  }
}

function assertKnownRoot(pin: Pin, known: Identity): Pin {
  // Its path is checked again when something below it is found.
  if (isSameFile(pin.stats, known.stats)) return pin;
  pin.close();
  throw rootReplaced();
}

function pinRootPath(known: Identity): Pin | Promise<Pin> {
  const fail = (error: unknown) => {
    throw isMissing(error) ? rootReplaced() : error;
  };
  try {
    const pinned = pinSoon(known, known.realPath);
    return pinned instanceof Promise ? pinned.catch(fail) : pinned;
  } catch (error) {
    return fail(error);
  }
}

function pinSoon({ pinPath, localDevice }: Identity, path: string): Pin | Promise<Pin> {
  if (localDevice === undefined) return pinPath(path);
  try {
    return pinNow(path, localDevice);
  } catch (error) {
    // It waits until some are closed.
    if (isOutOfFiles(error)) return pinPath(path);
    throw error;
  }
}

interface RootParts {
  readonly pin: Pin;
  readonly known: Identity;
  readonly options: RootOptions;
  readonly passed: Passed | undefined;
  readonly pathCache: PathCache;
}

function describeRoot({ pin, known, options, passed, pathCache }: RootParts): Root {
  const { pinPath, protection, localDevice } = known;
  const pinLocal = (path: string) => pinSoon(known, path);
  const pinRemote = (path: string) =>
    localDevice === undefined ? pinPath(path) : pinByDescriptor(path, localDevice);
  const roots = [options.container, known.realPath];
  const wayTo = (realPath: string) => relativeInside(known.realPath, realPath);
  const assertInPlace = () => {
    if (pin.currentPath() !== known.realPath) throw rootReplaced();
  };
  const assertMayChange = (realPath: string, path: string) => {
    const found = protection.findChange(realPath);
    if (found !== undefined) throw pathProtected(path, found);
  };
  const assertMayRead = ({ realPath, stats }: Pin, path: string) => {
    const found = protection.findRead(realPath, stats.isFile() ? stats : undefined);
    if (found !== undefined) throw pathSealed(path, found);
  };
  const pinBelow = async (
    { relative, namesFolder, path }: Target,
    pinAt: (path: string) => Pin | Promise<Pin>,
  ) => {
    const ending = namesFolder && relative !== "" ? "/" : "";
    const found = await pinAt(`${pin.door}/${relative}${ending}`);
    try {
      // A root that moved meanwhile makes both names meaningless. What was reached without a
      // link hangs on the root itself; a link may have led through another root in its place.
      assertInPlace();
      const inRoot = wayTo(found.realPath);
      if (inRoot !== relative) assertInPlace();
      if (inRoot === undefined) throw outsideRoot(path);
      assertWholeName(inRoot, path);
      if (found.isLocal) pathCache.add(relative);
      return found;
    } catch (error) {
      found.close();
      throw error;
    }
  };
  return {
    pin,
    realPath: known.realPath,
    pinPath,
    wayTo,
    noteListed(folder, name) {
      const inRoot = folder.isLocal ? wayTo(folder.realPath) : undefined;
      if (inRoot !== undefined) pathCache.add(inRoot === "" ? name : `${inRoot}/${name}`);
    },
    assertMayChange,
    assertMayRead,
    locate: (use) => ({
      ...parseContainedPath({ ...use, base: options.base, spelled: options.spelled, roots }),
      path: use.filePath,
    }),
    // Links on the path may lead anywhere, also to what hangs: that is found out by another thread.
    pinInside: (target) => {
      const { relative } = target;
      const isCached = passed?.has(relative) || pathCache.has(relative);
      return pinBelow(target, isCached ? pinLocal : pinRemote);
    },
    pinPassed: (target) => pinBelow(target, pinLocal),
  };
}

/** The folder that the name is in, as its text says. */
export function parentOf(target: Target): Target {
  const parent = posix.dirname(target.relative);
  return { ...target, relative: parent === "." ? "" : parent, namesFolder: false };
}

export function toPlainPlace(root: Root, target: Target): string {
  return join(root.realPath, target.relative);
}

function rootMissing(folder: string, cause?: unknown): ToolError {
  return new ToolError(
    "not_found",
    `The root folder "${toPrintable(folder)}" of the file tools does not exist; make it.`,
    { reason: "root_missing", cause },
  );
}

/** The device of a pinned folder whose file system is local. */
export async function findLocalDevice({ door, stats }: Pin): Promise<bigint | undefined> {
  try {
    return LOCAL_TYPES.has((await statfs(door)).type) ? stats.dev : undefined;
  } catch {
    // An unreadable type counts as remote.
    return undefined;
  }
}

interface PathCache {
  has(path: string): boolean;
  add(path: string): void;
}

export function createPathCache(now: () => number = () => performance.now()): PathCache {
  const times = new Map<string, number>();
  return {
    has: (path) => now() - (times.get(path) ?? Number.NEGATIVE_INFINITY) < PATH_CACHE_MS,
    add(path) {
      times.delete(path);
      times.set(path, now());
      const [oldest] = times.keys();
      if (times.size > MAX_CACHED_PATHS && oldest !== undefined) times.delete(oldest);
    },
  };
}
