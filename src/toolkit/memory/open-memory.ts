// Joins the memory driver with what the configuration says of it. Loaded at the first use.

import type { ClawtoolsConfig } from "../../config/index.js";
import type { Clock, Memory, Net } from "../../core/index.js";
import { createMemory } from "../../drivers/memory/index.js";
import { readMemorySettings } from "./memory-settings.js";

export interface MemorySource {
  /** Absolute; the folder with MEMORY.md and memory/. */
  readonly root: string;
  readonly config: ClawtoolsConfig;
  readonly agentId: string | undefined;
  /** Where the index is; undefined keeps it in memory. */
  readonly stateDir: string | undefined;
  readonly clock: Clock;
  readonly net: Net;
}

/** Throws a ToolError when the memory of the agent is turned off, or its settings cannot be meant so. */
export function openMemory(source: MemorySource): Memory {
  const { clock, net } = source;
  return createMemory(readMemorySettings(source), { clock, net: async () => net });
}
