// Removes the data of a profile: only its own folder below the folder of all profiles, never what a
// link leads to.

import { lstat, realpath, rename, rm, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type RandomSource, ToolError } from "../../../core/index.js";
import { isMissing } from "../../../lib/errno.js";
import type { Profile } from "./list-profiles.js";
import { assertProfileName } from "./profile-name.js";

const NONCE_BYTES = 6;
const REMOVE_TRIES = 5;
const REMOVE_PAUSE_MS = 100;

/** The profile's browser has ended before. Does nothing when there is no data. */
export async function removeProfileData(
  profile: Pick<Profile, "name" | "folder">,
  random: RandomSource,
): Promise<void> {
  assertProfileName(profile.name);
  const base = await unlessMissing(realpath(dirname(profile.folder)));
  if (base === undefined) return;
  const folder = join(base, profile.name);
  const found = await unlessMissing(lstat(folder));
  if (found === undefined) return;
  if (found.isSymbolicLink()) {
    // Somebody keeps the data elsewhere: the link is ours, what it leads to is not.
    await unlink(folder);
    return;
  }
  if (!found.isDirectory()) throw notOurs(folder);
  // By another name first: a browser that starts meanwhile finds nothing half removed.
  const removed = join(base, `.removed-${random.hex(NONCE_BYTES)}`);
  await rename(folder, removed);
  await rm(removed, {
    recursive: true,
    force: true,
    maxRetries: REMOVE_TRIES,
    retryDelay: REMOVE_PAUSE_MS,
  });
}

async function unlessMissing<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function notOurs(folder: string): ToolError {
  return new ToolError(
    "failed",
    `"${folder}" is no folder, so it holds no browser profile; remove it by hand.`,
    { reason: "browser_profile_invalid" },
  );
}
