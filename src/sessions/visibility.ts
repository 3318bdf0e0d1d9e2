// Which sessions a caller may list, read, message and change: one rule for all session tools.

import type { SessionCaller } from "../core/server.js";
import { readField } from "../lib/read-field.js";
import type { FoundEntry } from "./entry.js";
import { parseSessionKey } from "./key.js";

export interface VisibilityRules {
  readonly visibility: "self" | "tree" | "agent" | "all";
  /** Applies to sandboxed callers that are not sub-agents themselves. */
  readonly sandbox: "spawned" | "all";
  readonly agentToAgent: { readonly enabled: boolean; readonly allow: readonly string[] };
}

export interface Refusal {
  readonly reason: "session_not_visible" | "agent_to_agent_off" | "agent_to_agent_denied";
  /** A sentence that names the setting. */
  readonly message: string;
}

export interface VisibilityRequest {
  readonly rules: VisibilityRules;
  readonly caller: SessionCaller & { readonly sessionKey: string; readonly agentId: string };
  readonly target: { readonly key: string; readonly agentId: string };
  /** Session keys from the target's spawner up to the root. */
  readonly ancestors: readonly string[];
  readonly action: "history" | "messaging" | "status" | "listing" | "scheduling";
}

/** undefined: the caller may. */
export function findRefusal(request: VisibilityRequest): Refusal | undefined {
  const { rules, caller, target, ancestors, action } = request;
  if (target.key === caller.sessionKey) return undefined;
  const isBelow = ancestors.includes(caller.sessionKey);
  if (caller.sandboxed && rules.sandbox === "spawned" && !isBelow) {
    return notVisible(
      `Session not visible from this sandboxed agent session: ${target.key}. Only sessions that it spawned are (agents.defaults.sandbox.sessionToolsVisibility is "spawned").`,
    );
  }
  if (isBelow) return undefined;
  if (target.agentId !== caller.agentId) return findAgentRefusal(rules, { caller, target, action });
  if (rules.visibility === "all" || rules.visibility === "agent") return undefined;
  return notVisible(
    `Session not visible: ${target.key}. tools.sessions.visibility is "${rules.visibility}".`,
  );
}

/** The same for sessions and jobs of another agent. */
export function findAgentRefusal(
  { visibility, agentToAgent }: VisibilityRules,
  {
    caller,
    target,
    action,
  }: Pick<VisibilityRequest, "target" | "action"> & {
    readonly caller: { readonly agentId: string };
  },
): Refusal | undefined {
  if (visibility !== "all") {
    return notVisible(
      `Session of another agent not visible: ${target.key}. tools.sessions.visibility is "${visibility}".`,
    );
  }
  if (!agentToAgent.enabled) {
    return {
      reason: "agent_to_agent_off",
      message: `Agent-to-agent ${action} is disabled. Set tools.agentToAgent.enabled=true to reach the agent "${target.agentId}".`,
    };
  }
  const isAllowed = [caller.agentId, target.agentId].every(
    (id) => agentToAgent.allow.length === 0 || agentToAgent.allow.some((glob) => matches(glob, id)),
  );
  if (isAllowed) return undefined;
  return {
    reason: "agent_to_agent_denied",
    message: `Agent-to-agent ${action} denied by tools.agentToAgent.allow: "${caller.agentId}" to "${target.agentId}".`,
  };
}

export function readVisibilityRules(config: unknown): VisibilityRules {
  const tools = readField(config, "tools");
  const visibility = readField(readField(tools, "sessions"), "visibility");
  const a2a = readField(tools, "agentToAgent");
  const allow = readField(a2a, "allow");
  const sandbox = readField(readField(readField(config, "agents"), "defaults"), "sandbox");
  return {
    visibility:
      visibility === "self" || visibility === "tree" || visibility === "agent" ? visibility : "all",
    sandbox: readField(sandbox, "sessionToolsVisibility") === "all" ? "all" : "spawned",
    agentToAgent: {
      enabled: readField(a2a, "enabled") === true,
      allow: Array.isArray(allow) ? allow.map(String) : [],
    },
  };
}

/** From the spawner of `key` up to the root. */
export function ancestorsOf(key: string, entries: ReadonlyMap<string, FoundEntry>): string[] {
  const found: string[] = [];
  let next = entries.get(key)?.entry.spawnedBy;
  while (next !== undefined && !found.includes(next)) {
    found.push(next);
    next = entries.get(next)?.entry.spawnedBy;
  }
  return found;
}

/** `main` for the caller's own main session. */
export function displayKey(key: string, callerAgentId: string): string {
  const { agentId, rest } = parseSessionKey(key);
  return agentId === callerAgentId && rest === "main" ? "main" : key;
}

function matches(glob: string, id: string): boolean {
  const parts = glob.toLowerCase().split("*");
  const [first = "", ...others] = parts;
  if (others.length === 0) return first === id;
  const last = others.pop() ?? "";
  if (!id.startsWith(first) || !id.endsWith(last) || id.length < first.length + last.length) {
    return false;
  }
  let from = first.length;
  for (const part of others) {
    const at = id.indexOf(part, from);
    if (at === -1 || at + part.length > id.length - last.length) return false;
    from = at + part.length;
  }
  return true;
}

function notVisible(message: string): Refusal {
  return { reason: "session_not_visible", message };
}
