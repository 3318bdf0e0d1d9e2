// The ports of one toolkit, each with its driver.

import type { ArtifactStore, AuditLog, Journal, RunPorts } from "../core/index.js";
import {
  createMemoryArtifacts,
  createMemoryAudit,
  createMemoryJournal,
} from "../drivers/records/index.js";
import { createSystemPorts } from "./system-ports.js";

export interface PortOptions {
  /** Absolute; `undefined` when this user has no place for one. Nothing is made there by binding. */
  readonly stateDir: string | undefined;
}

export interface ToolkitPorts extends PortOptions {
  readonly system: RunPorts;
  readonly journal: Journal;
  readonly audit: AuditLog;
  readonly artifacts: ArtifactStore;
}

/** All of them live in memory now, and end with the process. */
export function bindPorts({ stateDir }: PortOptions): ToolkitPorts {
  const system = createSystemPorts();
  return {
    stateDir,
    system,
    journal: createMemoryJournal(),
    audit: createMemoryAudit(),
    artifacts: createMemoryArtifacts(system),
  };
}
