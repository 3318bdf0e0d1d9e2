// The memory of a bare registry: one for each folder and configuration that tools are resolved with.
// Nothing is closed; its files and watchers keep no process alive.

import { type Memory, type Net, type ToolContext, ToolError } from "../../core/index.js";
import { createLazyMemory } from "./lazy-memory.js";

interface Known {
  readonly ctx: ToolContext;
  readonly memory: Memory;
}

export function createRegistryMemory(
  netOf: (ctx: ToolContext) => Net,
): (ctx: ToolContext) => Memory {
  const known: Known[] = [];

  return (ctx) => {
    const found = known.find((entry) => isSame(entry.ctx, ctx));
    if (found) return found.memory;
    const { agentDir, config, agentId } = ctx;
    if (agentDir === undefined) throw noFolder();
    const memory = createLazyMemory(async () => {
      const [{ openMemory }, { readConfig }, { readStateDir }, { createQuietClock }] =
        await Promise.all([
          import("./open-memory.js"),
          import("../options/read-config.js"),
          import("../options/state-dir.js"),
          import("../../drivers/clock/index.js"),
        ]);
      return openMemory({
        root: agentDir,
        config: readConfig(config ?? {}).config,
        agentId,
        stateDir: readStateDir(undefined),
        clock: createQuietClock(),
        net: netOf(ctx),
      });
    });
    known.push({ ctx, memory });
    return memory;
  };
}

function isSame(one: ToolContext, other: ToolContext): boolean {
  return (
    one.agentDir === other.agentDir && one.config === other.config && one.agentId === other.agentId
  );
}

function noFolder(): ToolError {
  return new ToolError(
    "unavailable",
    "The memory needs agentDir in the context, the folder of its notes; pass it when you resolve the tool.",
    { reason: "missing_context", details: { missing: ["agentDir"] } },
  );
}
