// What one agent consists of: its toolkit, its models and its limits.

import type { ClawtoolsConfig } from "../config/index.js";
import { type FsBridge, isToolError, ToolInputError, type Toolkit } from "../core/index.js";
import { isSubagentKey } from "../sessions/index.js";
import { type QueueMode, readQueueRules } from "./queue/take.js";
import type { ModelChoice } from "./run/ask.js";
import type { RunLimits } from "./run/run.js";

const DEFAULT_LIMITS = { turns: 50, wallMs: 48 * 60 * 60_000 } as const;

/** The models of one agent. Asked for each run, so that a changed config counts at once. */
export interface ModelSource {
  /** In the order in which they are tried. Throws a ToolError when there is none. */
  list(): readonly ModelChoice[];
  /** By `provider/model`. */
  find(name: string): ModelChoice | undefined;
}

export interface PartsSource {
  readonly agentId: string;
  readonly toolkit: Toolkit;
  readonly models: ModelSource;
  readonly workspace?: FsBridge | undefined;
  readonly limits?: Partial<RunLimits> | undefined;
  readonly queueMode?: QueueMode | undefined;
  readonly config?: ClawtoolsConfig | undefined;
}

export type AgentParts = ReturnType<typeof createAgentParts>;

export function createAgentParts(source: PartsSource) {
  const { agentId, toolkit, models, workspace, limits, queueMode, config = {} } = source;
  const { timeoutSeconds } = config.agents?.defaults ?? {};
  const configured = timeoutSeconds === undefined ? {} : { wallMs: timeoutSeconds * 1_000 };
  const allLimits: RunLimits = { ...DEFAULT_LIMITS, ...configured, ...limits };
  const mayNest = (config.agents?.defaults?.subagents?.maxSpawnDepth ?? 1) > 1;
  const subagent = mayNest ? "orchestrator" : "leaf";

  /** A chosen model needs no configured one. */
  function listOthers(): readonly ModelChoice[] {
    try {
      return models.list();
    } catch (error) {
      if (isToolError(error) && error.code === "unavailable") return [];
      throw error;
    }
  }

  return {
    ...{ agentId, toolkit, workspace, config },
    queue: readQueueRules(config, queueMode),
    limits: allLimits,
    /** What this caller may use of the toolkit. */
    view: ({ sessionKey, runId }: { readonly sessionKey: string; readonly runId?: string }) =>
      toolkit.forCaller({ sessionKey, runId, ...(isSubagentKey(sessionKey) && { subagent }) }),
    /** By `provider/model`, then the fallbacks; all when no name is given. Throws a ToolInputError. */
    choose(name?: string | undefined): readonly ModelChoice[] {
      if (name === undefined) return models.list();
      const chosen = models.find(name);
      if (chosen) return [chosen, ...listOthers().filter(({ model }) => model !== chosen.model)];
      const known = models.list().map(({ model }) => `${model.provider}/${model.id}`);
      throw new ToolInputError(
        `Unrecognized model "${name.slice(0, 100)}". Configured: ${known.join(", ")}.`,
        { reason: "model_unknown" },
      );
    },
  };
}
