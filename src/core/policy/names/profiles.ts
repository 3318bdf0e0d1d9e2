// The profiles of `tools.profile`: base lists that the other layers narrow.

import type { ToolProfile } from "../../tool.js";
import { foldName } from "./normalize.js";

/** `full` restricts nothing and so has no list. */
const PROFILE_ENTRIES = {
  minimal: ["session_status"],
  coding: ["group:fs", "group:search", "group:runtime", "group:sessions", "group:memory", "image"],
  messaging: [
    "group:messaging",
    "sessions_list",
    "sessions_history",
    "sessions_send",
    "session_status",
  ],
  full: undefined,
} as const satisfies Record<ToolProfile, readonly string[] | undefined>;

export const PROFILE_NAMES: readonly string[] = Object.keys(PROFILE_ENTRIES);

export function parseProfile(value: string): ToolProfile | undefined {
  const folded = foldName(value);
  return isProfile(folded) ? folded : undefined;
}

export function profileEntries(profile: ToolProfile): readonly string[] | undefined {
  return PROFILE_ENTRIES[profile];
}

function isProfile(name: string): name is ToolProfile {
  return Object.hasOwn(PROFILE_ENTRIES, name);
}
