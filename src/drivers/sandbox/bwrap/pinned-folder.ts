// A folder held fast by a descriptor: what is done to names in it happens in this very folder,
// whatever a command puts in its place or in the way to it meanwhile.

import { closeSync, constants, fstatSync, openSync, readlinkSync } from "node:fs";
import type { Place } from "./place.js";

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
