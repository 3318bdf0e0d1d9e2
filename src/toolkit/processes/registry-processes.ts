// The commands of a bare registry: one supervisor for each root and configuration that tools are
// resolved with. There is nobody to ask but through the state folder, and nothing is closed: what
// still runs ends with the process.

import { type Processes, type RunPorts, type ToolContext, ToolError } from "../../core/index.js";
import { createStateStore } from "../state-store.js";
import { createLazyProcesses } from "./lazy-processes.js";

interface Known {
  readonly ctx: ToolContext;
  readonly processes: Processes;
}

export function createRegistryProcesses(system: RunPorts): (ctx: ToolContext) => Processes {
  const known: Known[] = [];

  return (ctx) => {
    const found = known.find((entry) => isSame(entry.ctx, ctx));
    if (found) return found.processes;
    const { root, config, agentId } = ctx;
    if (root === undefined) throw noRoot();
    const processes = createLazyProcesses({
      sender: undefined,
      async open() {
        const [{ openProcesses }, { readConfig }, { readStateDir }] = await Promise.all([
          import("./open-processes.js"),
          import("../options/read-config.js"),
          import("../options/state-dir.js"),
        ]);
        const stateDir = readStateDir(undefined);
        return openProcesses({
          root,
          config: readConfig(config ?? {}).config,
          agentId,
          sandboxed: ctx.sandboxed === true,
          stateDir,
          system,
          state: createStateStore(stateDir, system),
          approver: undefined,
          protect: undefined,
          approvals: undefined,
          // Without a toolkit nobody listens; `process poll` tells the same.
          notePass: () => undefined,
          notify: () => undefined,
          report: () => undefined,
        });
      },
    });
    known.push({ ctx, processes });
    return processes;
  };
}

function isSame(one: ToolContext, other: ToolContext): boolean {
  return (
    one.root === other.root &&
    one.config === other.config &&
    one.agentId === other.agentId &&
    one.sandboxed === other.sandboxed
  );
}

function noRoot(): ToolError {
  return new ToolError(
    "unavailable",
    "Commands need root or workspaceDir in the context, the folder they run in; pass it when you resolve the tool.",
    { reason: "missing_context", details: { missing: ["root"] } },
  );
}
