// The parts of the configuration that the door itself reads; everything else goes to the tools as it
// is. The configuration has been checked before.

import { type ClawtoolsConfig, findAgent } from "../../config/index.js";
import type { BudgetLimits, LoopSettings, TaintMode } from "../../core/index.js";

const DEFAULT_RESULT_CHARS = 50_000;
const DEFAULT_TURN_CHARS = 150_000;

export interface DoorSettings {
  readonly resultChars: number;
  readonly turnChars: number;
  readonly taintMode: TaintMode;
  readonly budgets: BudgetLimits;
  readonly loop: LoopSettings;
  /** How long anyone who is asked may take; the door's own default when absent. */
  readonly approvalLimitMs: number | undefined;
  readonly pluginPaths: readonly string[];
  readonly mcpServers: readonly string[];
}

export function readDoorSettings(
  config: ClawtoolsConfig,
  agentId: string | undefined,
): DoorSettings {
  const { limits, tools, budgets = {}, approvals, mcp, plugins } = config;
  return {
    resultChars: limits?.resultChars ?? DEFAULT_RESULT_CHARS,
    turnChars: limits?.turnChars ?? DEFAULT_TURN_CHARS,
    taintMode: tools?.taint ?? "mark",
    budgets,
    loop: readLoop(config, agentId),
    approvalLimitMs: approvals?.timeoutMs,
    mcpServers: Object.keys(mcp?.servers ?? {}),
    pluginPaths: plugins?.load?.paths ?? [],
  };
}

/** Key by key: what the agent says of itself counts before what is said for all. */
function readLoop(config: ClawtoolsConfig, agentId: string | undefined): LoopSettings {
  const own = findAgent(config, agentId)?.tools?.loopDetection;
  const { enabled = true, warnAt, stopAt } = { ...config.tools?.loopDetection, ...own };
  return { enabled, warnAt, stopAt };
}
