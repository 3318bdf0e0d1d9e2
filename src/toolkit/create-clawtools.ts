// `createClawtools`: the documented instance. Implementations are imported at their first call.
import { ConnectorRegistry } from "../connectors/index.js";
import {
  createUntrustedWrapper,
  type RunPorts,
  type ToolContext,
  ToolError,
  ToolRegistryBase,
} from "../core/index.js";
import { createSystemRandom } from "../drivers/clock.js";
import { canLoadTypeScript, currentDirectory, homeDirectory } from "../drivers/environment.js";
import { createTimeGuard } from "../drivers/time-guard.js";
import type { LoadedPlugin, PluginLoaderOptions } from "../plugins/index.js";
import { type DiscoveryOptions, discoverCoreTools } from "./discovery.js";
import { readConfig } from "./options/read-config.js";
import { readStateDir } from "./options/settings.js";
import { createLazyBrowsers } from "./ports/browsers.js";
import { createLazyMemory } from "./ports/memory.js";
import { createLazyNet } from "./ports/net.js";
import { createStateStore, createSystemPorts } from "./ports/ports.js";
import { createLazyProcesses } from "./ports/processes.js";

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

export class ToolRegistry extends ToolRegistryBase {
  constructor() {
    const system = createSystemPorts();
    super({ ports: { ...system, ...createRegistryPorts(system) } });
  }
}

function createRegistryPorts(system: RunPorts) {
  const net = sharedBy(["config"], (ctx) => createLazyNet(() => readSettings(ctx).config));
  return {
    net,
    processes: sharedBy(["root", "config", "agentId", "sandboxed"], (ctx) => {
      const { root = currentDirectory(), agentId, sandboxed = false } = ctx;
      return createLazyProcesses(() => {
        const settings = readSettings(ctx);
        return {
          ...{ ...settings, root, agentId, sandboxed, system },
          state: createStateStore(settings.stateDir, system),
          approver: undefined,
          protect: undefined,
          approvals: undefined,
          // Only a toolkit has listeners; `process poll` reports the same.
          notify: () => undefined,
          report: () => undefined,
        };
      });
    }),
    memory: sharedBy(["agentDir", "config", "agentId"], (ctx) => {
      const { agentDir: root, agentId } = ctx;
      if (root === undefined) {
        throw missing(
          "agentDir",
          "The memory needs agentDir in the context, the folder of its notes",
        );
      }
      return createLazyMemory(async () => {
        const { createQuietClock } = await import("../drivers/clock.js");
        const clock = createQuietClock();
        return { ...readSettings(ctx), root, agentId, clock, net: net(ctx) };
      });
    }),
    browsers: sharedBy(["root", "workspaceDir", "config"], (ctx) => {
      const root = ctx.root ?? ctx.workspaceDir ?? currentDirectory();
      return createLazyBrowsers(() => ({ ...readSettings(ctx), root, system }));
    }),
  };
}

function sharedBy<Port>(
  fields: readonly (keyof ToolContext)[],
  create: (ctx: ToolContext) => Port,
): (ctx: ToolContext) => Port {
  const made: Array<{ readonly ctx: ToolContext; readonly port: Port }> = [];
  return (ctx) => {
    const found = made.find((entry) => fields.every((field) => entry.ctx[field] === ctx[field]));
    if (found) return found.port;
    const port = create(ctx);
    made.push({ ctx, port });
    return port;
  };
}

function readSettings({ config }: ToolContext) {
  return { config: readConfig(config ?? {}).config, stateDir: readStateDir(undefined) };
}

function missing(field: string, need: string): ToolError {
  return new ToolError("unavailable", `${need}; pass it when you resolve the tool.`, {
    reason: "missing_context",
    details: { missing: [field] },
  });
}

/** One row for each plugin that was found, also for those that failed or were skipped. */
export async function loadPlugins(options: PluginLoaderOptions): Promise<LoadedPlugin[]> {
  const { loadPluginsFrom } = await import("../plugins/index.js");
  return loadPluginsFrom(options, {
    homeDir: homeDirectory(),
    baseDir: currentDirectory(),
    canLoadTypeScript: canLoadTypeScript(),
    guard: createTimeGuard(),
  });
}

/** Marks `text` as data from `source`; each call has markers of its own that no one can guess. */
export function wrapUntrusted(text: string, options: { readonly source: string }): string {
  return createUntrustedWrapper({ random: createSystemRandom() })(text, options);
}
