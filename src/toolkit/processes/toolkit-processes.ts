// The commands of one toolkit.

import type { ClawtoolsConfig } from "../../config/index.js";
import type { StartRequest, ToolkitEvents } from "../../core/index.js";
import type { CommandPasses } from "../audit/command-passes.js";
import type { ToolkitPorts } from "../bind-ports.js";
import type { ToolkitOptions } from "../options/toolkit-options.js";
import { createLazyProcesses, type LazyProcesses } from "./lazy-processes.js";

export interface ToolkitProcessesSource {
  readonly options: ToolkitOptions;
  readonly config: ClawtoolsConfig;
  readonly ports: Pick<ToolkitPorts, "stateDir" | "system" | "state">;
  readonly notePass: CommandPasses["note"];
  readonly notify: (notice: ToolkitEvents["notice"]) => void;
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
}

export function createToolkitProcesses(source: ToolkitProcessesSource): LazyProcesses {
  const { options, config, ports, notePass, notify, report } = source;
  return createLazyProcesses({
    sender: readSender(options),
    async open() {
      const { openProcesses } = await import("./open-processes.js");
      return openProcesses({
        root: options.root,
        config,
        agentId: options.agentId,
        sandboxed: options.sandboxed === true,
        stateDir: ports.stateDir,
        system: ports.system,
        state: ports.state,
        approver: options.approve,
        protect: options.protect,
        approvals: options.approvals,
        notePass,
        notify,
        report,
      });
    },
  });
}

/** A message whose writer is not known is from nobody that a list could name. */
function readSender({ messageChannel, sender }: ToolkitOptions): StartRequest["sender"] {
  if (messageChannel === undefined) return undefined;
  return { channel: messageChannel, id: sender?.id === undefined ? "" : String(sender.id) };
}
