// What is in the way of starting a profile: a browser that runs already is shared, what a dead
// process left is ended and removed.

import type { Profile } from "../profiles/list-profiles.js";
import { endProcess } from "./end-browser.js";
import { profileHeld, readHolder } from "./holder.js";
import { type RunningNote, readNote, removeNote } from "./pid-file.js";
import { isAlive } from "./process-world.js";
import { sweepScratch } from "./scratch.js";

const NO_SOCKET = "has no socket to join it by";

export interface ReclaimRequest {
  readonly profile: Profile;
  readonly policyKey: string;
}

export type SharedNote = RunningNote & { readonly socketPath: string };

/**
 * The note of the browser that runs for this profile and may be shared; undefined when none runs.
 * Throws `conflict` / `browser_profile_held` with who holds it.
 */
export async function reclaimProfile({
  profile,
  policyKey,
}: ReclaimRequest): Promise<SharedNote | undefined> {
  const note = await endOrphan(profile);
  if (note !== undefined) return assertShared(note, { profile, policyKey });
  await sweepScratch();
  const holder = await readHolder(profile.userDataDir);
  // Chromium takes over what a dead one of this machine left; of another machine it does not.
  if (holder?.isAlive) throw profileHeld(profile, { holder, why: "was not started by clawtools" });
  return undefined;
}

function assertShared(note: RunningNote, { profile, policyKey }: ReclaimRequest): SharedNote {
  const holder = { pid: note.owner.pid, host: "", isOfThisMachine: true };
  const why = findShareFault(note, policyKey);
  const { socketPath } = note;
  if (why === undefined && socketPath !== undefined) return { ...note, socketPath };
  throw profileHeld(profile, { holder, why: why ?? NO_SOCKET });
}

/** Why a browser that runs cannot be shared, half a sentence; undefined when it can. */
export function findShareFault(note: RunningNote, policyKey: string): string | undefined {
  if (note.policyKey !== policyKey) return "runs with another network policy";
  return note.socketPath === undefined ? NO_SOCKET : undefined;
}

/** Ends a browser whose owner is gone, although the pipe should have; the note of one that has an owner. */
export async function endOrphan({
  folder,
}: Pick<Profile, "folder">): Promise<RunningNote | undefined> {
  const note = await readNote(folder);
  if (note === undefined) return undefined;
  if (isAlive(note.browser) && isAlive(note.owner)) return note;
  // Only the process that was noted, never another with its number.
  await endProcess(note.browser);
  await removeNote(folder, note.browser);
  await sweepScratch();
  return undefined;
}
