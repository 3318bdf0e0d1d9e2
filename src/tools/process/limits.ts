// What the definition tells and the implementation holds.

export const PROCESS_ACTIONS = [
  "list",
  "poll",
  "log",
  "write",
  "send-keys",
  "submit",
  "paste",
  "kill",
  "clear",
  "remove",
] as const;
export type ProcessAction = (typeof PROCESS_ACTIONS)[number];

export const MAX_POLL_MS = 120_000;
/** Output mostly comes in several pieces: more of it is waited for until it pauses for that long. */
export const PAUSE_MS = 300;
export const MAX_GATHER_MS = 2_000;
export const DEFAULT_LOG_LINES = 200;
