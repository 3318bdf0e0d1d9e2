// The memory of an agent without a toolkit around it, for whoever keeps its index.

import type { ClawtoolsConfig } from "../../config/index.js";
import type { Memory } from "../../core/index.js";
import { createLazyNet, openNet } from "../net/lazy-net.js";
import { readAgentId } from "../options/agent-id.js";
import { createSystemPorts } from "../system-ports.js";
import { createToolkitMemory } from "./toolkit-memory.js";

export interface AgentMemorySource {
  readonly root: string;
  readonly config: ClawtoolsConfig;
  readonly agentId: string | undefined;
  /** Absolute. */
  readonly stateDir: string;
}

/** Throws a ToolInputError when the config lists agents and this is none of them. */
export function createAgentMemory({ root, config, agentId, stateDir }: AgentMemorySource): Memory {
  const agent = readAgentId(config, agentId);
  const net = createLazyNet(() => openNet(config));
  const memory = createToolkitMemory({
    options: { root, ...(agent === undefined ? {} : { agentId: agent }) },
    config,
    ports: { stateDir, system: createSystemPorts() },
    net,
  });
  return {
    ...memory,
    async close() {
      await memory.close();
      await net.close();
    },
  };
}
