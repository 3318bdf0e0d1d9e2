// A command that is called from the command line ends with it, so it is waited for: `process`, which
// would follow it in the background, is not offered to it.

import { foldName } from "../../core/index.js";
import type { ToolkitOptions } from "../../toolkit/index.js";
import { UsageError } from "../failure.js";

const EXEC: readonly string[] = ["exec", "bash"];
const BACKGROUND: readonly string[] = ["background", "run_in_background"];

export interface CommandWait {
  adapt(options: ToolkitOptions): ToolkitOptions;
  /** Throws a UsageError. */
  assertPossible(given: Readonly<Record<string, unknown>>): void;
}

export function waitForCommands(toolName: string): CommandWait {
  const isExec = EXEC.includes(foldName(toolName));
  return {
    adapt: (options) => (isExec ? withoutProcess(options) : options),
    assertPossible(given) {
      const asked = BACKGROUND.find((name) => String(given[name]) === "true");
      if (!isExec || asked === undefined) return;
      throw new UsageError(
        `${asked} cannot be used here: a command ends with the call of \`clawtools\`. Leave it out, and the command is waited for.`,
      );
    },
  };
}

function withoutProcess(options: ToolkitOptions): ToolkitOptions {
  const { tools = {} } = options.config ?? {};
  return {
    ...options,
    config: { ...options.config, tools: { ...tools, deny: [...(tools.deny ?? []), "process"] } },
  };
}
