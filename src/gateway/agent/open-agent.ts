// The agents of the gateway at work: one runner over the gateway's store, with the toolkit and the
// models of each agent.

import { type Agent, type AgentParts, createAgent, createAgentParts } from "../../agent/index.js";
import type { Clock, RandomSource, Store } from "../../core/index.js";
import { createNodeBridge } from "../../drivers/fs/index.js";
import type { Agents } from "../agents.js";
import type { ConfigFile } from "../config/config-file.js";
import type { GatewayEvents } from "../events.js";
import type { GatewayModels } from "./models.js";
import { forwardEvents } from "./wire-events.js";

export interface OpenAgentRequest {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly agents: Agents;
  readonly models: GatewayModels;
  readonly config: Pick<ConfigFile, "current">;
  readonly events: GatewayEvents;
}

export function openAgent(request: OpenAgentRequest): Agent {
  const { store, clock, random, agents, models, config } = request;
  const { defaultId } = agents;
  const parts = new Map<string, AgentParts>();
  const folderOf = (agentId: string) => agents.list().find(({ id }) => id === agentId)?.workspace;

  /** Made again after a change of the config. */
  function partsOf(agentId: string): AgentParts | undefined {
    const known = parts.get(agentId);
    if (known?.config === config.current()) return known;
    const workspace = folderOf(agentId);
    if (workspace === undefined) return undefined;
    const toolkit = agents.toolkit(agentId);
    toolkit.attach({ sessions: agent.sessions });
    const made = createAgentParts({
      ...{ agentId, toolkit, models: models.of(agentId), config: config.current() },
      workspace: createNodeBridge(workspace),
    });
    parts.set(agentId, made);
    return made;
  }

  const agent = createAgent({
    ...{ store, clock, random, agentId: defaultId, agents: partsOf },
    toolkit: agents.toolkit(defaultId),
    model: models.of(defaultId),
    config: config.current(),
    workspace: folderOf(defaultId),
  });
  const stopEvents = forwardEvents(agent, request);
  return {
    ...agent,
    async close() {
      stopEvents();
      await agent.close();
    },
  };
}
