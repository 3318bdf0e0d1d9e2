// The ports of one toolkit, each with its driver.

import type { ArtifactStore, RunPorts } from "../core/index.js";
import { createMemoryArtifacts } from "../drivers/records/index.js";
import { createSystemPorts } from "./system-ports.js";

export interface PortOptions {
  /** Absolute; `undefined` when this user has no place for one. Nothing is made there by binding. */
  readonly stateDir: string | undefined;
}

export interface ToolkitPorts extends PortOptions {
  readonly system: RunPorts;
  readonly artifacts: ArtifactStore;
}

/** All of them live in memory, and end with the process; what outlives it is in `past/` and `audit/`. */
export function bindPorts({ stateDir }: PortOptions): ToolkitPorts {
  const system = createSystemPorts();
  return {
    stateDir,
    system,
    artifacts: createMemoryArtifacts(system),
  };
}
