// One start or removal of a profile at a time, over all processes: Chromium's own lock is too late.

import { dirname, join } from "node:path";
import { type Clock, type RandomSource, ToolError } from "../../../core/index.js";
import { type ProcessOwners, withLock } from "../../../lib/system/rename-lock.js";
import type { Profile } from "../profiles/list-profiles.js";

const LOCK_FOLDER = ".starting";
const MAX_LOCK_WAIT_MS = 35_000;

export interface StartLockPorts {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly owners: ProcessOwners;
}

/** Rejects with `conflict` / `browser_profile_held`. */
export function withStartLock<Value>(
  { profile, clock, random, owners }: StartLockPorts & { readonly profile: Profile },
  work: () => Promise<Value>,
): Promise<Value> {
  return withLock(
    {
      ...{ clock, random, owners },
      folder: join(dirname(profile.folder), LOCK_FOLDER, profile.name),
      maxWaitMs: MAX_LOCK_WAIT_MS,
      busy: () =>
        new ToolError(
          "conflict",
          `Another process has been starting browser profile "${profile.name}" for ${MAX_LOCK_WAIT_MS / 1_000} s; try again, or use another profile.`,
          { reason: "browser_profile_held", details: { profile: profile.name } },
        ),
    },
    work,
  );
}
