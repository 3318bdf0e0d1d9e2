// Whether a call may leave the sandbox for the host, and how far: the gates of `elevated`.

import { type StartRequest, ToolError } from "../../../core/index.js";
import type { ElevatedLevel, ElevatedSettings } from "../settings.js";

const ANYBODY = "*";

/** The level that holds. Throws `denied` / `elevated_denied` with the gates that are closed. */
export function assertElevated(
  { enabled, allowFrom, level }: ElevatedSettings,
  sender: StartRequest["sender"],
): Exclude<ElevatedLevel, "off"> {
  const closed: string[] = [];
  if (!enabled) closed.push("tools.elevated.enabled is false");
  if (level === "off") closed.push('agents.defaults.elevatedDefault is "off"');
  if (sender !== undefined && !isListed(allowFrom[sender.channel] ?? [], sender.id)) {
    closed.push(`tools.elevated.allowFrom.${sender.channel} does not list the sender`);
  }
  if (closed.length === 0 && level !== "off") return level;
  throw new ToolError("denied", `elevated is not allowed here: ${closed.join("; ")}.`, {
    reason: "elevated_denied",
  });
}

function isListed(entries: readonly (string | number)[], id: string): boolean {
  return entries.some((entry) => String(entry) === ANYBODY || String(entry) === id);
}
