// How tool names are compared: case-blind, without blanks at the ends, old names for new ones.

/** Names by which models and configs know a built-in tool. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  ["bash", "exec"],
  ["apply-patch", "apply_patch"],
]);

/** Optional tools that configs may name before a channel brings them. */
export const CHANNEL_IDS: ReadonlySet<string> = new Set([
  "slack",
  "discord",
  "telegram",
  "whatsapp",
  "signal",
  "imessage",
  "msteams",
  "googlechat",
]);

export function foldName(name: string): string {
  return name.trim().toLowerCase();
}

/** The name under which policy knows a tool: ` Bash ` is `exec`. */
export function normalizeToolName(name: string): string {
  const folded = foldName(name);
  return ALIASES.get(folded) ?? folded;
}
