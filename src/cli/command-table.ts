// Every command as data, in the order of help. What a command does is loaded when it is chosen, so
// help and version load nothing but this.

import { APPROVAL_COMMANDS } from "./table/approvals.js";
import { DIFF, UNDO } from "./table/changes.js";
import type { Command } from "./table/command.js";
import { CONFIG_COMMANDS } from "./table/config.js";
import { MEMORY_COMMANDS } from "./table/memory.js";
import { TOOL_COMMANDS } from "./table/tools.js";

export const GROUPS: Readonly<Record<string, string>> = {
  tools: "See, explain, measure and call the tools.",
  config: "Read and check the config.",
  approvals: "Answer questions about commands, and keep the list of grants.",
  memory: "Search the notes of an agent, and keep their index.",
  undo: UNDO.summary,
  diff: DIFF.summary,
};

export const COMMANDS: readonly Command[] = [
  ...TOOL_COMMANDS,
  ...CONFIG_COMMANDS,
  ...APPROVAL_COMMANDS,
  ...MEMORY_COMMANDS,
  UNDO,
  DIFF,
];
