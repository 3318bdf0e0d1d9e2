// The groups that policy lists may name, and the built-in tools that exist from the first day.

/** Groups with fixed members. */
export const TOOL_GROUPS: ReadonlyMap<string, readonly string[]> = new Map([
  ["group:fs", ["read", "write", "edit", "apply_patch"]],
  ["group:search", ["grep", "find", "ls"]],
  ["group:runtime", ["exec", "process"]],
  ["group:web", ["web_search", "web_fetch"]],
  ["group:memory", ["memory_search", "memory_get"]],
  [
    "group:sessions",
    [
      "sessions_list",
      "sessions_history",
      "sessions_send",
      "sessions_spawn",
      "subagents",
      "session_status",
    ],
  ],
  ["group:ui", ["browser", "canvas"]],
  ["group:messaging", ["message"]],
  ["group:automation", ["cron", "gateway"]],
  ["group:nodes", ["nodes"]],
  ["group:agents", ["agents_list"]],
  ["group:media", ["image", "tts"]],
]);

/** A deny list that names the first group stops the members of the second too. */
export const DENIED_WITH: ReadonlyMap<string, string> = new Map([["group:fs", "group:search"]]);

/** Groups whose members are the tools of one origin. */
export const ORIGIN_GROUPS: ReadonlyMap<string, "core" | "plugin" | "mcp"> = new Map([
  ["group:openclaw", "core"],
  ["group:clawdbot", "core"],
  ["group:plugins", "plugin"],
  ["group:mcp", "mcp"],
]);

export const GROUP_PREFIX = "group:";

/** A list that names one of these speaks of a built-in tool, loaded or not. */
export const BUILT_IN_NAMES: ReadonlySet<string> = new Set([
  ...[...TOOL_GROUPS.values()].flat(),
  "lobster",
  "llm-task",
]);
