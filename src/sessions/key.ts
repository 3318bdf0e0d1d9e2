// Session keys: `agent:<agentId>:<rest>`, always lower case. What kind of session a key names, and who
// owns it, is read from the key alone.

import { ToolInputError } from "../core/index.js";
import type { SessionKind } from "../core/server.js";

const AGENT_ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const CONTROL_CHARACTER = /\p{Cc}/u;
const MAX_KEY_CHARS = 512;
const DEFAULT_AGENT = "main";
/** Placeholders that no tool lists. */
const HIDDEN_KEYS = ["global", "unknown"];

export interface SessionKey {
  readonly key: string;
  readonly agentId: string;
  /** What follows `agent:<agentId>:`. */
  readonly rest: string;
}

/** `main` and short names belong to `agentId`. Throws a ToolInputError for what cannot be a key. */
export function parseSessionKey(given: string, { agentId = DEFAULT_AGENT } = {}): SessionKey {
  const key = given.trim().toLowerCase();
  if (key === "" || key.length > MAX_KEY_CHARS || CONTROL_CHARACTER.test(key)) {
    throw new ToolInputError(
      `"${given.slice(0, 80)}" is not a session key. Use 1 to ${MAX_KEY_CHARS} characters, such as "agent:main:main".`,
      { reason: "session_key_invalid" },
    );
  }
  const [mark, owner, ...rest] = key.split(":");
  if (mark === "agent" && owner !== undefined && rest.length > 0 && AGENT_ID.test(owner)) {
    return { key, agentId: owner, rest: rest.join(":") };
  }
  return { key: `agent:${agentId}:${key}`, agentId, rest: key };
}

/** Other texts become one: `My Agent` is `my-agent`. */
export function toAgentId(given: string | undefined): string {
  const id = (given ?? DEFAULT_AGENT).trim().toLowerCase();
  if (AGENT_ID.test(id)) return id;
  const slug = id.replace(/[^a-z0-9_-]+/g, "-").replace(/^[-_]+|[-_]+$/g, "");
  return slug.slice(0, 64) || DEFAULT_AGENT;
}

export function mainSessionKey(agentId: string): string {
  return `agent:${agentId}:main`;
}

export function kindOfSession({ rest }: SessionKey): SessionKind {
  if (rest === "main") return "main";
  const [first = ""] = rest.split(":", 1);
  if (first === "cron" || first === "hook" || first === "node") return first;
  if (first.startsWith("node-")) return "node";
  return /(?:^|:)(?:group|channel):/.test(rest) ? "group" : "other";
}

/** `internal` for sessions that no chat belongs to. */
export function channelOfSession(key: SessionKey): string {
  const kind = kindOfSession(key);
  if (kind === "cron" || kind === "hook" || kind === "node") return "internal";
  const parts = key.rest.split(":");
  const isChat = parts.length >= 3 && /^(?:dm|direct|group|channel)$/.test(parts[1] ?? "");
  return isChat ? (parts[0] ?? "unknown") : "unknown";
}

export function isMainSession(key: string): boolean {
  return parseSessionKey(key).rest === "main";
}

export function isSubagentKey(key: string): boolean {
  return /^agent:[^:]+:subagent:/.test(key);
}

export function isHiddenKey({ rest }: SessionKey): boolean {
  return HIDDEN_KEYS.includes(rest);
}
