// Limits for sub-agents, from the config of the agent that starts them.

import { type ClawtoolsConfig, findAgent } from "../../config/index.js";

const DEFAULT_MAX_DEPTH = 1;
const DEFAULT_MAX_CHILDREN = 5;
const SECOND_MS = 1_000;

export interface SpawnRules {
  readonly maxDepth: number;
  readonly maxChildren: number;
  /** 0: no limit. */
  readonly runTimeoutMs: number;
  readonly model: string | undefined;
  /** Other agents that may be started, as configured. */
  readonly allowed: readonly string[];
  allows(agentId: string): boolean;
}

export function readSpawnRules(config: ClawtoolsConfig, agentId: string): SpawnRules {
  const defaults = config.agents?.defaults?.subagents;
  const own = findAgent(config, agentId)?.subagents;
  const allowed = own?.allowAgents ?? defaults?.allowAgents ?? [];
  const model = own?.model ?? defaults?.model;
  return {
    maxDepth: defaults?.maxSpawnDepth ?? DEFAULT_MAX_DEPTH,
    maxChildren: defaults?.maxChildrenPerAgent ?? DEFAULT_MAX_CHILDREN,
    runTimeoutMs: (defaults?.runTimeoutSeconds ?? 0) * SECOND_MS,
    model: typeof model === "string" ? model : model?.primary,
    allowed,
    allows: (id) => allowed.some((name) => name === "*" || name.toLowerCase() === id),
  };
}
