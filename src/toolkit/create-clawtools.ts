// `createClawtools`: the documented instance, complete as soon as it is returned. Definitions are
// static and implementations are imported at their first call, so nothing is left to wait for.

import { ConnectorRegistry } from "../connectors/index.js";
import { type DiscoveryOptions, discoverCoreTools } from "./discovery.js";
import { ToolRegistry } from "./tool-registry.js";

export interface ClawtoolsOptions {
  /** Which built-in tools to register. */
  tools?: DiscoveryOptions;
  /** `core` (default) is the documented catalog of 23 tools, `all` adds ours. */
  catalog?: "core" | "all";
  skipCoreTools?: boolean;
  /** Accepted with a warning: tools are not loaded from other projects. */
  openclawRoot?: string;
}

export interface Clawtools {
  readonly tools: ToolRegistry;
  readonly connectors: ConnectorRegistry;
  /** Always empty: plugins are loaded by `loadPlugins` or by a toolkit. */
  readonly extensions: readonly string[];
  /** Already fulfilled; for callers who await it. */
  readonly ready: Promise<void>;
}

export function createClawtools(given?: ClawtoolsOptions | null): Clawtools {
  const options = given ?? {};
  const tools = new ToolRegistry();
  if (!options.skipCoreTools) {
    const { openclawRoot, catalog = "core" } = options;
    discoverCoreTools(tools, {
      ...(openclawRoot === undefined ? {} : { openclawRoot }),
      ...options.tools,
      catalog,
    });
  }
  return { tools, connectors: new ConnectorRegistry(), extensions: [], ready: Promise.resolve() };
}

export function createClawtoolsSync(options?: ClawtoolsOptions): Clawtools {
  return createClawtools(options);
}

export async function createClawtoolsAsync(options?: ClawtoolsOptions): Promise<Clawtools> {
  return createClawtools(options);
}
