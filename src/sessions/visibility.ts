// Which sessions a caller may list, read, message and change: one rule for all session tools.

import type { ClawtoolsConfig } from "../config/index.js";
import { compilePattern } from "../core/index.js";
import type { SessionCaller } from "../core/server.js";
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

export function readVisibilityRules({ tools, agents }: ClawtoolsConfig): VisibilityRules {
  const { enabled = false, allow = [] } = tools?.agentToAgent ?? {};
  return {
    visibility: tools?.sessions?.visibility ?? "all",
    sandbox: agents?.defaults?.sandbox?.sessionToolsVisibility ?? "spawned",
    agentToAgent: { enabled, allow },
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
  const pattern = glob.toLowerCase();
  return pattern.includes("*") ? compilePattern(pattern)(id) : pattern === id;
}

function notVisible(message: string): Refusal {
  return { reason: "session_not_visible", message };
}
