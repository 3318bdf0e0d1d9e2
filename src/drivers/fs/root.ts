// The containing folder of a bridge: found once, at first use, and recognised again before every
// operation. Its descriptor lives as long as one operation, so a bridge has nothing to close.

import type { BigIntStats } from "node:fs";
import { realpath } from "node:fs/promises";
import { ToolError } from "../../core/index.js";
import { parseContainedPath, relativeInside } from "./contained-path.js";
import { isMissing, outsideRoot, rootReplaced } from "./errors.js";
import { assertMissingInside } from "./missing.js";
import { choosePinPath, isSameFile, type Pin, type PinPath } from "./pin.js";

export interface Root {
  readonly pin: Pin;
  readonly pinPath: PinPath;
  /** Pins what lies at `relative` below the root; throws when links lead out. */
  pinInside(target: Target): Promise<Pin>;
  /** The way to `realPath` below the root; undefined when it is not in it. */
  wayTo(realPath: string): string | undefined;
}

export interface Target {
  readonly relative: string;
  readonly namesFolder: boolean;
  /** The caller's own words, for messages. */
  readonly path: string;
}

export interface RootPaths {
  /** Relative paths start here. */
  readonly base: string;
  /** Nothing outside of this folder is touched. */
  readonly container: string;
}

interface Identity {
  readonly realPath: string;
  readonly stats: BigIntStats;
  readonly pinPath: PinPath;
}

export interface RootUse {
  readonly filePath: string;
  readonly cwd?: string;
}

export type WithRoot = <T>(
  use: RootUse,
  work: (root: Root, target: Target) => Promise<T>,
) => Promise<T>;

export function createWithRoot(paths: RootPaths, pinning?: PinPath): WithRoot {
  let identity: Promise<Identity> | undefined;

  async function identify(): Promise<Identity> {
    identity ??= readIdentity(paths.container, pinning);
    try {
      return await identity;
    } catch (error) {
      // A root that is made later is found later.
      identity = undefined;
      throw error;
    }
  }

  return async (use, work) => {
    const known = await identify();
    const roots = [paths.container, known.realPath];
    const contained = parseContainedPath({ ...use, base: paths.base, roots });
    const pin = await pinKnownRoot(known);
    try {
      return await work(describeRoot(pin, known.pinPath), { ...contained, path: use.filePath });
    } finally {
      pin.close();
    }
  };
}

/** What lies at the target; undefined when nothing is there and its way stays inside the root. */
export async function pinExisting(root: Root, target: Target): Promise<Pin | undefined> {
  try {
    return await root.pinInside(target);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await assertMissingInside(root, target);
  return undefined;
}

async function readIdentity(container: string, pinning?: PinPath): Promise<Identity> {
  const pinPath = pinning ?? (await choosePinPath());
  const canonical = await realpath(container).catch((error: unknown) => {
    throw isMissing(error) ? rootMissing(error) : error;
  });
  const pin = await pinPath(canonical);
  try {
    if (!pin.stats.isDirectory()) throw rootMissing();
    return { realPath: pin.realPath, stats: pin.stats, pinPath };
  } finally {
    pin.close();
  }
}

async function pinKnownRoot(known: Identity): Promise<Pin> {
  const pin = await known.pinPath(known.realPath).catch((error: unknown) => {
    throw isMissing(error) ? rootReplaced() : error;
  });
  if (pin.realPath === known.realPath && isSameFile(pin.stats, known.stats)) return pin;
  pin.close();
  throw rootReplaced();
}

function describeRoot(pin: Pin, pinPath: PinPath): Root {
  const wayTo = (realPath: string) => relativeInside(pin.realPath, realPath);
  return {
    pin,
    pinPath,
    wayTo,
    pinInside: async ({ relative, namesFolder, path }) => {
      const ending = namesFolder && relative !== "" ? "/" : "";
      const found = await pinPath(`${pin.door}/${relative}${ending}`);
      try {
        // A root that moved meanwhile makes both names meaningless.
        if (pin.currentPath() !== pin.realPath) throw rootReplaced();
        if (wayTo(found.realPath) === undefined) throw outsideRoot(path);
        return found;
      } catch (error) {
        found.close();
        throw error;
      }
    },
  };
}

function rootMissing(cause?: unknown): ToolError {
  return new ToolError("not_found", "The root folder of the file tools does not exist; make it.", {
    reason: "root_missing",
    cause,
  });
}
