// Ends a managed browser with everything it left, and cleans up after dead processes.

import type { BrowserContext } from "playwright-core";
import type { Profile } from "../profiles/list-profiles.js";
import { atMost } from "../session/within.js";
import { profileHeld, type RunningNote, readHolder, readNote, removeNote } from "./holder.js";
import {
  endOwnProcesses,
  isAlive,
  killGroup,
  killProcess,
  type MarkedProcess,
  removeFolder,
  type Scratch,
  sweepScratch,
} from "./processes.js";

const MAX_CLOSE_MS = 2_500;
const MAX_GONE_MS = 2_000;
const LOOK_PAUSE_MS = 20;
const NO_SOCKET = "has no socket to join it by";

interface EndRequest {
  readonly context: BrowserContext;
  readonly mark: MarkedProcess | undefined;
  readonly scratch: Scratch;
  readonly folder: string;
}

/** Never rejects: the next start removes what is left. */
export async function endBrowser({ context, mark, scratch, folder }: EndRequest): Promise<void> {
  // A hung browser does not close; its process is killed.
  await atMost(MAX_CLOSE_MS, () => context.close());
  if (mark !== undefined) {
    await endProcess(mark);
    await removeNote(folder, mark).catch(() => undefined);
  }
  await endOwnProcesses(scratch.temporary);
  await removeFolder(scratch.folder).catch(() => undefined);
}

async function endProcess(mark: MarkedProcess): Promise<void> {
  killProcess(mark);
  // Its children end with it.
  killGroup(mark);
  const tries = MAX_GONE_MS / LOOK_PAUSE_MS;
  for (let count = 0; count < tries && isAlive(mark); count++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_PAUSE_MS));
  }
}

interface ReclaimRequest {
  readonly profile: Profile;
  readonly policyKey: string;
}

export type SharedNote = RunningNote & { readonly socketPath: string };

/** The note of a running browser to share, if any. Throws `browser_profile_held`. */
export async function reclaimProfile({
  profile,
  policyKey,
}: ReclaimRequest): Promise<SharedNote | undefined> {
  const note = await endOrphan(profile);
  if (note !== undefined) return assertShared(note, { profile, policyKey });
  await sweepScratch();
  const holder = await readHolder(profile.userDataDir);
  // Chromium takes over a dead lock of this machine, but not of another one.
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

export function findShareFault(note: RunningNote, policyKey: string): string | undefined {
  if (note.policyKey !== policyKey) return "runs with another network policy";
  return note.socketPath === undefined ? NO_SOCKET : undefined;
}

/** Ends a browser without an owner; returns the note of one that has an owner. */
export async function endOrphan({
  folder,
}: Pick<Profile, "folder">): Promise<RunningNote | undefined> {
  const note = await readNote(folder);
  if (note === undefined) return undefined;
  if (isAlive(note.browser) && isAlive(note.owner)) return note;
  // Only the recorded process, never another with the same pid.
  await endProcess(note.browser);
  await removeNote(folder, note.browser);
  await sweepScratch();
  return undefined;
}
