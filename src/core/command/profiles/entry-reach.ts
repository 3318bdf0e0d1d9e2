// How far an entry goes that names a program without its arguments.

import { findProfile, isSteering, isSystemProgram, type ProgramNames } from "./programs.js";

/** `steering` and `system`: nothing, because arguments say what it starts, or are not known here. */
export type EntryReach = "profile" | "steering" | "system" | "everything";

export function reachOfEntry(names: ProgramNames): EntryReach {
  if (findProfile(names) !== undefined) return "profile";
  if (isSteering(names)) return "steering";
  return isSystemProgram(names) ? "system" : "everything";
}
