// The registry as users make it: `new ToolRegistry()`, bound to this machine's clock, random source,
// time guard, commands, network, notes and browsers. It closes nothing: commands that still run end
// with the process, and the other ports keep no process alive.

import { type RunPorts, type ToolContext, ToolError, ToolRegistryBase } from "../core/index.js";
import { currentDirectory } from "../drivers/environment.js";
import { createLazyBrowsers } from "./browser/lazy-browsers.js";
import { createLazyMemory } from "./memory/lazy-memory.js";
import { createLazyNet } from "./net.js";
import { createLazyProcesses } from "./processes/lazy-processes.js";
import { createStateStore } from "./state-store.js";
import { createSystemPorts } from "./system-ports.js";

export class ToolRegistry extends ToolRegistryBase {
  constructor() {
    const system = createSystemPorts();
    super({ ports: { ...system, ...createRegistryPorts(system) } });
  }
}

function createRegistryPorts(system: RunPorts) {
  const net = sharedBy(["config"], (ctx) =>
    createLazyNet(async () => (await readSettings(ctx)).config),
  );
  return {
    net,
    processes: sharedBy(["root", "config", "agentId", "sandboxed"], (ctx) => {
      const { root = currentDirectory(), agentId, sandboxed = false } = ctx;
      return createLazyProcesses(async () => {
        const settings = await readSettings(ctx);
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
        return { ...(await readSettings(ctx)), root, agentId, clock, net: net(ctx) };
      });
    }),
    browsers: sharedBy(["root", "workspaceDir", "config"], (ctx) => {
      const root = ctx.root ?? ctx.workspaceDir ?? currentDirectory();
      return createLazyBrowsers(async () => ({ ...(await readSettings(ctx)), root, system }));
    }),
  };
}

/** One port for all contexts that are equal in `fields`. */
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

async function readSettings({ config }: ToolContext) {
  const [{ readConfig }, { readStateDir }] = await Promise.all([
    import("./options/read-config.js"),
    import("./options/state-dir.js"),
  ]);
  return { config: readConfig(config ?? {}).config, stateDir: readStateDir(undefined) };
}

function missing(field: string, need: string): ToolError {
  return new ToolError("unavailable", `${need}; pass it when you resolve the tool.`, {
    reason: "missing_context",
    details: { missing: [field] },
  });
}
