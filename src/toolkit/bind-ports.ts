// The ports of one toolkit, each with its driver.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ClawtoolsConfig, GATEWAY_TOKEN_FILE } from "../config/index.js";
import type { ArtifactStore, Net, RunPorts } from "../core/index.js";
import type { Gateway } from "../core/server.js";
import { createMemoryArtifacts } from "../drivers/records.js";
import { createStateStore, type StateStore } from "./state-store.js";
import { createSystemPorts } from "./system-ports.js";

const TOKEN_VARIABLE = "CLAWTOOLS_GATEWAY_TOKEN";

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

/**
 * The gateway of the state folder, looked up at each call. undefined when no secret for one is known:
 * then none was ever started here, and tools that need it say so.
 */
export function findGateway(
  { stateDir, system }: ToolkitPorts,
  { config, net }: { readonly config: ClawtoolsConfig; readonly net: Net },
): { readonly gateway?: Gateway } {
  if (stateDir === undefined) return {};
  const token = system.environment?.read(TOKEN_VARIABLE);
  const isKnown =
    token !== undefined ||
    config.gateway?.auth !== undefined ||
    existsSync(join(stateDir, GATEWAY_TOKEN_FILE));
  if (!isKnown) return {};
  const gateway: Gateway = {
    configHashes: new Map(),
    async call(request) {
      const { createGatewayClient } = await import("../drivers/gateway-client.js");
      const { readFolderOwner } = await import("../drivers/store/index.js");
      const findUrl = () => readFolderOwner(stateDir)?.url;
      const client = createGatewayClient({ net, config, stateDir, token, findUrl });
      return await client.call(request);
    },
    close: () => Promise.resolve(),
  };
  return { gateway };
}
