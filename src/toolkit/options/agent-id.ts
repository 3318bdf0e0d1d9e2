// Which agent a toolkit is for, and whether it is in a sandbox. An unknown agent is refused: only the
// rules for all would hold, and open what the rules of the agent that was meant close.

import { type ClawtoolsConfig, findAgent, readAgents } from "../../config/index.js";
import { foldName, ToolInputError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";

/** The agent that is there without being listed. */
const MAIN_AGENT = "main";
const MAIN_SESSION = /(?:^|:)main$/i;
const MAX_SHOWN_IDS = 20;

/** Throws a ToolInputError when the config lists agents and this is none of them. */
export function readAgentId(
  config: ClawtoolsConfig,
  given: string | undefined,
): string | undefined {
  const agents = readAgents(config);
  if (given === undefined) {
    return agents.find((agent) => agent.default === true)?.id ?? findAgent(config, MAIN_AGENT)?.id;
  }
  if (agents.length === 0 || foldName(given) === MAIN_AGENT) return given;
  if (findAgent(config, given) !== undefined) return given;
  const ids = agents.slice(0, MAX_SHOWN_IDS).map(({ id }) => `"${toPrintable(id, 80)}"`);
  throw new ToolInputError(
    `agentId: the config has no agent "${toPrintable(given, 80)}"; it has ${ids.join(", ")}.`,
    { reason: "agent_unknown" },
  );
}

interface SandboxRequest {
  readonly agentId: string | undefined;
  readonly sessionKey: string | undefined;
}

/** What `sandbox.mode` of the agent, else of all agents, says of this session. */
export function isSandboxed(config: ClawtoolsConfig, request: SandboxRequest): boolean {
  const { agentId, sessionKey = MAIN_AGENT } = request;
  const all = config.agents?.defaults?.sandbox?.mode;
  const mode = findAgent(config, agentId)?.sandbox?.mode ?? all;
  return mode === "all" || (mode === "non-main" && !MAIN_SESSION.test(sessionKey));
}
