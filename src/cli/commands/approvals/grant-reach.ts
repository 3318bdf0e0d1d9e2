// Describes what a grant covers on this machine, by planning its pattern like a command.

import { dirname } from "node:path";
import { type ClawtoolsConfig, loadConfig } from "../../../config/index.js";
import {
  type EntryReach,
  isExactPattern,
  type PlannedCommand,
  reachOfEntry,
  toSearchPath,
} from "../../../core/command/index.js";
import type { CommandGrant } from "../../../core/index.js";
import { createCommandPlanner } from "../../../drivers/plan/index.js";
import { findToolFolders } from "../../../drivers/process/index.js";
import { shellQuote } from "../../../lib/system/shell-words.js";
import type { CommandCall } from "../../command.js";

const WILD = /[*?]/;
const MISSING = "which is not a program here";
const CHANGEABLE = "which others could change, so that only an exact grant covers it";
const MATCHED =
  "for each program that it matches as far as its profile goes, and for your own without limits";

const WITHOUT_ARGUMENTS = {
  profile: "with the arguments that its profile knows to be harmless",
  steering:
    "which covers nothing without --args, because it can start programs, or read and write anywhere",
  system:
    "which covers nothing without --args, because no profile knows this program of the system",
  everything: "with every argument",
} as const satisfies Record<EntryReach, string>;

/** Begins with a comma where there are words. */
export type DescribeReach = (grant: CommandGrant) => Promise<string>;

export async function createReachReader(call: CommandCall): Promise<DescribeReach> {
  const { root, place } = call;
  const loaded = await loadConfig(place);
  const config: ClawtoolsConfig = loaded.ok ? loaded.config : {};
  const prepend = config.tools?.exec?.pathPrepend ?? [];
  const runtimeFolder = dirname(process.execPath);
  const searchPath = [
    ...toSearchPath({ prepend, root, runtimeFolder }),
    ...findToolFolders(place.homeDir),
  ];
  const planner = createCommandPlanner({ root, searchPath });
  return async ({ pattern, argPattern, shown }) => {
    if (shown !== undefined || (argPattern !== undefined && isExactPattern(argPattern))) return "";
    if (WILD.test(pattern)) return argPattern === undefined ? `, ${MATCHED}` : "";
    const home = place.homeDir ?? "~";
    const command = shellQuote(pattern.startsWith("~/") ? home + pattern.slice(1) : pattern);
    const { signal } = new AbortController();
    const planned = await planner.plan({ command, cwd: root, signal });
    const words = describePlanned(planned, argPattern);
    return words === "" ? "" : `, ${words}`;
  };
}

function describePlanned(planned: PlannedCommand, argPattern: string | undefined): string {
  const [step] = planned.ok ? planned.plan.steps : [];
  if (step === undefined) return MISSING;
  const { program, facts } = step;
  if (program.contentHash !== undefined) return CHANGEABLE;
  if (argPattern !== undefined) return "";
  return WITHOUT_ARGUMENTS[reachOfEntry({ file: facts?.file ?? program.path, path: program.path })];
}
