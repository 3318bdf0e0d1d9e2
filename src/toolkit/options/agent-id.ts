// Which agent a toolkit is for. A slip in its name would leave only the rules for all in force, and
// so open what the agent's own rules close.

import type { ClawtoolsConfig } from "../../config/index.js";
import { foldName, ToolInputError } from "../../core/index.js";
import { nearestWithin } from "../../lib/nearest-name.js";
import type { Doubt } from "./read-config.js";

/** The agent that is there without being listed. */
const MAIN_AGENT = "main";
const MAX_LETTERS = 2;

export interface ReadAgent {
  readonly agentId: string | undefined;
  readonly doubts: readonly Doubt[];
}

/** Throws a ToolInputError when the name is a slip for that of a listed agent. */
export function readAgentId(config: ClawtoolsConfig, given: string | undefined): ReadAgent {
  const agents = config.agents?.list ?? [];
  if (given === undefined) {
    return { agentId: agents.find((agent) => agent.default === true)?.id, doubts: [] };
  }
  const ids = agents.map(({ id }) => id);
  const isKnown = [MAIN_AGENT, ...ids].some((id) => foldName(id) === foldName(given));
  if (isKnown || ids.length === 0) return { agentId: given, doubts: [] };
  const nearest = findSlip(given, ids);
  const shown = given.slice(0, 80);
  if (nearest !== undefined) {
    throw new ToolInputError(
      `agentId: "${shown}" is not in agents.list; did you mean "${nearest}"?`,
      { reason: "agent_unknown" },
    );
  }
  const message = `"${shown}" is not in agents.list, so only the rules for all hold.`;
  return { agentId: given, doubts: [{ severity: "warning", path: "agentId", message }] };
}

/** Agents that are counted, such as `worker-7` beside `worker-1`, are no slips for each other. */
function findSlip(given: string, ids: readonly string[]): string | undefined {
  const withoutNumber = (id: string) => foldName(id).replace(/\d+/g, "");
  const name = foldName(given);
  const known = ids.map(foldName).filter((id) => withoutNumber(id) !== withoutNumber(name));
  const nearest = nearestWithin({ name, known, maxLetters: MAX_LETTERS });
  return ids.find((id) => foldName(id) === nearest);
}
