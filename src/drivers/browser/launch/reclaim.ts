// What stands in the way of starting a profile: a browser that runs already is shared, what a dead
// process left is ended and removed.

import type { Profile } from "../profiles/list-profiles.js";
import { endProcess } from "./end-browser.js";
import { profileHeld, readHolder } from "./holder.js";
import { type RunningNote, readNote, removeNote } from "./pid-file.js";
import { isAlive } from "./process-world.js";
import { sweepScratch } from "./scratch.js";

const NO_PORT = "has no port to attach to (browser.port)";

export interface ReclaimRequest {
  readonly profile: Profile;
  readonly policyKey: string;
}

export type SharedNote = RunningNote & { readonly port: number };

/**
 * The note of the browser that runs for this profile and may be shared; undefined when none runs.
 * Throws `conflict` / `browser_profile_held` with who holds it.
 */
export async function reclaimProfile({
  profile,
  policyKey,
}: ReclaimRequest): Promise<SharedNote | undefined> {
  const note = await readNote(profile.folder);
  if (note !== undefined) {
    if (!isAlive(note.browser)) await clear(note, profile);
    else if (!isAlive(note.owner)) await endLeft(note, profile);
    else return assertShared(note, { profile, policyKey });
  }
  await sweepScratch();
  const holder = await readHolder(profile.userDataDir);
  // Chromium takes over what a dead one of this machine left; of another machine it does not.
  if (holder?.isAlive) throw held(profile, { holder, why: "was not started by clawtools" });
  return undefined;
}

function assertShared(note: RunningNote, { profile, policyKey }: ReclaimRequest): SharedNote {
  const holder = { pid: note.owner.pid, host: "", isOfThisMachine: true };
  const why = findShareFault(note, policyKey);
  const { port } = note;
  if (why !== undefined || port === undefined) throw held(profile, { holder, why: why ?? NO_PORT });
  return { ...note, port };
}

/** Why a browser that runs cannot be shared, half a sentence; undefined when it can. */
export function findShareFault(note: RunningNote, policyKey: string): string | undefined {
  if (note.policyKey !== policyKey) return "runs with another network policy";
  return note.port === undefined ? NO_PORT : undefined;
}

/** Its owner is gone and it is not, although the pipe should have ended it. */
async function endLeft(note: RunningNote, profile: Profile): Promise<void> {
  await endProcess(note.browser);
  await clear(note, profile);
}

async function clear(note: RunningNote, profile: Profile): Promise<void> {
  await removeNote(profile.folder, note.browser);
  await sweepScratch();
}

function held(
  { name, userDataDir }: Profile,
  { holder, why }: Pick<Parameters<typeof profileHeld>[0], "holder" | "why">,
) {
  return profileHeld({ profile: name, userDataDir, holder, why });
}
