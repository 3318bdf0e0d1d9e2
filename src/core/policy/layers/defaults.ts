// What sandboxes and sub-agents are offered when the config says nothing.

import { CHANNEL_IDS } from "../names/normalize.js";

export const SANDBOX_DEFAULTS = {
  allow: [
    "exec",
    "process",
    "read",
    "write",
    "edit",
    "apply_patch",
    "image",
    "sessions_list",
    "sessions_history",
    "sessions_send",
    "sessions_spawn",
    "session_status",
  ],
  deny: ["browser", "canvas", "nodes", "cron", "gateway", ...CHANNEL_IDS],
} as const;

const EVERY_SUBAGENT_DENY = [
  "gateway",
  "agents_list",
  "session_status",
  "cron",
  "message",
  "sessions_send",
] as const;

/** A leaf starts nothing further; an orchestrator has sub-agents of its own. */
export const SUBAGENT_DENY = {
  orchestrator: EVERY_SUBAGENT_DENY,
  leaf: [
    ...EVERY_SUBAGENT_DENY,
    "subagents",
    "sessions_list",
    "sessions_history",
    "sessions_spawn",
  ],
} as const satisfies Record<"leaf" | "orchestrator", readonly string[]>;
