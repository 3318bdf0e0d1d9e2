// The registry as users make it: `new ToolRegistry()`, bound to this machine's clock, random source,
// time guard, commands, network, notes and browsers.

import type { Browsers } from "../core/browser.js";
import {
  type Net,
  type RunPorts,
  type ToolContext,
  ToolError,
  ToolRegistryBase,
} from "../core/index.js";
import { createLazyBrowsers } from "./browser/lazy-browsers.js";
import { createRegistryMemory } from "./memory/registry-memory.js";
import { createLazyNet, openNet } from "./net/lazy-net.js";
import { createRegistryProcesses } from "./processes/registry-processes.js";
import { createSystemPorts } from "./system-ports.js";

export class ToolRegistry extends ToolRegistryBase {
  constructor() {
    const system = createSystemPorts();
    const processes = createRegistryProcesses(system);
    const net = createRegistryNet();
    const memory = createRegistryMemory(net);
    const browsers = createRegistryBrowsers(system);
    super({ ports: { ...system, processes, net, memory, browsers } });
  }
}

interface Known {
  readonly ctx: ToolContext;
  readonly browsers: Browsers;
}

function createRegistryBrowsers(
  system: Pick<RunPorts, "clock" | "random">,
): (ctx: ToolContext) => Browsers {
  const known: Known[] = [];

  return (ctx) => {
    const found = known.find((entry) => isSame(entry.ctx, ctx));
    if (found) return found.browsers;
    const { config } = ctx;
    const root = ctx.root ?? ctx.workspaceDir;
    if (root === undefined) throw noRoot();
    const browsers = createLazyBrowsers(async () => {
      const [{ openBrowsers }, { readConfig }, { readStateDir }] = await Promise.all([
        import("./browser/open-browsers.js"),
        import("./options/read-config.js"),
        import("./options/state-dir.js"),
      ]);
      const stateDir = readStateDir(undefined);
      return openBrowsers({ root, config: readConfig(config ?? {}).config, stateDir, system });
    });
    known.push({ ctx, browsers });
    return browsers;
  };
}

function isSame(one: ToolContext, other: ToolContext): boolean {
  return (
    one.root === other.root &&
    one.workspaceDir === other.workspaceDir &&
    one.config === other.config
  );
}

function noRoot(): ToolError {
  return new ToolError(
    "unavailable",
    "The browser needs root or workspaceDir in the context, the folder of its files; pass it when you resolve the tool.",
    { reason: "missing_context", details: { missing: ["root"] } },
  );
}

function createRegistryNet(): (ctx: ToolContext) => Net {
  const known = new Map<ToolContext["config"], Net>();

  return ({ config }) => {
    const found = known.get(config);
    if (found) return found;
    const net = createLazyNet(async () => {
      const { readConfig } = await import("./options/read-config.js");
      return openNet(readConfig(config ?? {}).config);
    });
    known.set(config, net);
    return net;
  };
}
