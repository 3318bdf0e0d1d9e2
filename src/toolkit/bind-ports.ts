// The ports of one toolkit, each with its driver.

import type { ArtifactStore, RunPorts } from "../core/index.js";
import { createMemoryArtifacts } from "../drivers/records/index.js";
import { createStateStore, type StateStore } from "./state-store.js";
import { createSystemPorts } from "./system-ports.js";

export interface PortOptions {
  /** Absolute; `undefined` when this user has no place for one. Nothing is made there by binding. */
  readonly stateDir: string | undefined;
  /** Default: in memory. */
  readonly artifacts?: ArtifactStore | undefined;
}

export interface ToolkitPorts extends PortOptions {
  readonly system: RunPorts;
  /** What outlives the process. */
  readonly state: StateStore;
  readonly artifacts: ArtifactStore;
}

export function bindPorts({ stateDir, artifacts }: PortOptions): ToolkitPorts {
  const system = createSystemPorts();
  return {
    stateDir,
    system,
    state: createStateStore(stateDir, system),
    artifacts: artifacts ?? createMemoryArtifacts(system),
  };
}
