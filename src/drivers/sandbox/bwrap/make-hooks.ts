// The folder of hooks where a repository has none: git makes it itself, unless it was told not to, and
// without it a command could.

import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
} from "node:fs";
import { errnoOf } from "../../../lib/errno.js";
import { type PinnedFolder, pinFolder } from "./pinned-folder.js";
import type { Place } from "./place.js";

export const HOOKS = "hooks";
const OPEN_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** The clock of a disk goes in steps. */
const CLOCK_STEP_MS = 100;

/** Where it cannot be made there is none, and whoever looks for it next sees that. */
export function makeHooks(git: Place): void {
  let pinned: PinnedFolder | undefined;
  try {
    pinned = pinFolder(git);
    if (pinned === undefined) return;
    const sinceMs = Date.now() - CLOCK_STEP_MS;
    mkdirSync(`${pinned.door}/${HOOKS}`);
    if (process.getuid?.() === 0 && pinned.userId !== 0) giveAway(pinned, sinceMs);
  } catch (error) {
    // It is there already, or may not be made. A repository without hooks is read-only as a whole.
    if (errnoOf(error) === "") throw error;
  } finally {
    pinned?.close();
  }
}

/** The folder just made and no other: a command may have put something else there since. */
function giveAway({ door, userId, groupId }: PinnedFolder, sinceMs: number): void {
  const descriptor = openSync(`${door}/${HOOKS}`, OPEN_FLAGS);
  try {
    const { uid, birthtimeMs } = fstatSync(descriptor);
    const isEmpty = readdirSync(`/proc/self/fd/${descriptor}`).length === 0;
    if (uid === 0 && birthtimeMs >= sinceMs && isEmpty) fchownSync(descriptor, userId, groupId);
  } finally {
    closeSync(descriptor);
  }
}
