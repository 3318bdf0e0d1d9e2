// The memory of one toolkit: the notes of its agent, the index in its state folder.

import { resolve } from "node:path";
import { type ClawtoolsConfig, findAgent } from "../../config/index.js";
import type { Memory, Net } from "../../core/index.js";
import type { ToolkitPorts } from "../bind-ports.js";
import type { ToolkitOptions } from "../options/toolkit-options.js";
import { createLazyMemory } from "./lazy-memory.js";

export interface ToolkitMemorySource {
  readonly options: Pick<ToolkitOptions, "root" | "agentDir" | "agentId">;
  readonly config: ClawtoolsConfig;
  readonly ports: Pick<ToolkitPorts, "stateDir" | "system">;
  readonly net: Net;
}

export function createToolkitMemory({ options, config, ports, net }: ToolkitMemorySource): Memory {
  const { root, agentDir, agentId } = options;
  const written = findAgent(config, agentId)?.agentDir;
  const folder = agentDir ?? (written === undefined ? root : resolve(root, written));
  return createLazyMemory(async () => {
    const { openMemory } = await import("./open-memory.js");
    const { stateDir, system } = ports;
    return openMemory({ root: folder, config, agentId, stateDir, clock: system.clock, net });
  });
}
