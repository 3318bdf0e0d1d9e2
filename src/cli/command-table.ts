// Every command as data, joined from one file a group. What a command does is loaded when it is
// chosen, so help and version load nothing but this.

import { APPROVALS } from "./table/approvals.js";
import { AUDIT } from "./table/audit.js";
import { BROWSER } from "./table/browser/group.js";
import type { Command, CommandGroup } from "./table/command.js";
import { completionGroup } from "./table/completion.js";
import { CONFIG } from "./table/config.js";
import { CONFIGURE_GROUP } from "./table/configure.js";
import { DOCTOR_GROUP } from "./table/doctor.js";
import { MCP_GROUP } from "./table/mcp.js";
import { MEMORY } from "./table/memory.js";
import { DIFF_GROUP, UNDO_GROUP } from "./table/past.js";
import { TOOLS } from "./table/tools.js";

/** In the order of help. */
const TABLE: readonly CommandGroup[] = [
  TOOLS,
  MCP_GROUP,
  CONFIG,
  CONFIGURE_GROUP,
  DOCTOR_GROUP,
  APPROVALS,
  AUDIT,
  MEMORY,
  BROWSER,
  UNDO_GROUP,
  DIFF_GROUP,
  completionGroup(() => ({ groups: GROUPS, commands: COMMANDS })),
];

export const GROUPS: Readonly<Record<string, string>> = Object.fromEntries(
  TABLE.map(({ name, summary }) => [name, summary]),
);

export const COMMANDS: readonly Command[] = TABLE.flatMap(({ commands }) => commands);
