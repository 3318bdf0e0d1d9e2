// Every command as data, joined from one file a group. What a command does is loaded when it is
// chosen, so help and version load nothing but this.

import { type FlagTable, JSON_FLAG } from "./flags.js";
import { APPROVALS } from "./table/approvals.js";
import { BROWSER } from "./table/browser/group.js";
import { type Command, type CommandGroup, type CommandTable, optional } from "./table/command.js";
import { CONFIG } from "./table/config.js";
import { CONFIGURE_GROUP } from "./table/configure.js";
import { MCP_GROUP } from "./table/mcp.js";
import { TOOLS } from "./table/tools.js";

const UNDO: Command = {
  group: "undo",
  name: "",
  operands: optional("CALL"),
  summary: "Take back what a call changed in files.",
  notes: [
    "Without CALL: the latest call that changed files in this root and is not undone.",
    "All files of the call are put back, or none. When one was changed since, nothing is done and the exit code is 6.",
  ],
  flags: {
    list: { type: "boolean", text: "List the calls that changed files here, newest first." },
    force: { type: "boolean", text: "Overwrite files that were changed since." },
    ...JSON_FLAG,
  },
  required: [],
  load: () => import("./commands/undo.js"),
};

const DIFF: Command = {
  group: "diff",
  name: "",
  operands: optional("CALL"),
  summary: "Show what a call changed in files.",
  notes: ["Without CALL: the latest call that changed files in this root and is not undone."],
  flags: JSON_FLAG,
  required: [],
  load: () => import("./commands/diff.js"),
};

const UNDO_GROUP: CommandGroup = {
  name: "undo",
  summary: UNDO.summary,
  commands: [UNDO],
};

const DIFF_GROUP: CommandGroup = {
  name: "diff",
  summary: DIFF.summary,
  commands: [DIFF],
};

const AGENT_FLAG = {
  agent: { type: "string", value: "ID", text: "The notes of this agent of the config." },
} as const satisfies FlagTable;

const INDEX: Command = {
  group: "memory",
  name: "index",
  operands: [],
  summary: "Bring the index of the notes up to date.",
  notes: ["Searches do so by themselves; this is for many notes at once, and shows how far it is."],
  flags: {
    fresh: { type: "boolean", text: "Make it anew; searches use the old one until then." },
    ...AGENT_FLAG,
    ...JSON_FLAG,
  },
  required: [],
  load: () => import("./commands/memory/index-notes.js"),
};

const SEARCH: Command = {
  group: "memory",
  name: "search",
  operands: [{ name: "WORDS", required: true, isMany: true }],
  summary: "Search the notes.",
  notes: ["Any of the words may match. The exit code is 1 when no note matches."],
  flags: {
    also: { type: "string", value: "WORDS", text: "Other words the notes may use." },
    max: { type: "string", value: "COUNT", text: "Hits at most; default 6." },
    ...AGENT_FLAG,
    ...JSON_FLAG,
  },
  required: [],
  load: () => import("./commands/memory/search-notes.js"),
};

const STATUS: Command = {
  group: "memory",
  name: "status",
  operands: [],
  summary: "Show how many notes are indexed, and what is left out.",
  notes: [],
  flags: { ...AGENT_FLAG, ...JSON_FLAG },
  required: [],
  load: () => import("./commands/memory/show-status.js"),
};

const MEMORY: CommandGroup = {
  name: "memory",
  summary: "Search the notes of an agent, and keep their index.",
  commands: [INDEX, SEARCH, STATUS],
};

const DOCTOR: Command = {
  group: "doctor",
  name: "",
  operands: [],
  summary: "Look for what is broken, and say what mends it.",
  notes: [
    "Looked at: Node, programs, what contains commands, the state folder, the config, the policy, the list of grants.",
    "With --fix: permissions, missing folders and files that a crash left; nothing else, and each is said. A folder that others use too is left.",
    "The exit code is 1 when something is broken, 0 with warnings.",
  ],
  flags: { fix: { type: "boolean", text: "Do what is safe." }, ...JSON_FLAG },
  required: [],
  load: () => import("./doctor/doctor.js"),
};

const DOCTOR_GROUP: CommandGroup = {
  name: "doctor",
  summary: DOCTOR.summary,
  commands: [DOCTOR],
};

const COMPLETION: Omit<Command, "load"> = {
  group: "completion",
  name: "",
  operands: [{ name: "SHELL", required: true, completes: ["bash", "zsh", "fish"] }],
  summary: "Print a completion script for bash, zsh or fish.",
  notes: [
    "For this session: source <(clawtools completion bash); in zsh the same with zsh; in fish clawtools completion fish | source.",
    "It completes commands, flags, tools and keys of the config.",
  ],
  flags: JSON_FLAG,
  required: [],
  sample: "clawtools completion bash",
};

const SHOW: Command = {
  group: "audit",
  name: "show",
  operands: [],
  summary: "Show the latest calls: who, what, by which rule, and how they ended.",
  notes: ["The newest call stands last. Times are UTC."],
  flags: {
    tool: { type: "string", value: "NAME", text: "Only calls of this tool." },
    call: { type: "string", value: "ID", text: "Only calls with this id." },
    since: {
      type: "string",
      value: "TIME",
      text: "Only since then: 90s, 30m, 12h, 7d, or a date such as 2026-01-31T12:00Z.",
    },
    limit: { type: "string", value: "COUNT", text: "At most so many; default: 50." },
    ...JSON_FLAG,
  },
  required: [],
  load: () => import("./commands/audit/show.js"),
};

const VERIFY: Command = {
  group: "audit",
  name: "verify",
  operands: [],
  summary: "Look whether a row was changed, removed, moved or cut off.",
  notes: [
    "Ends with 1 when something is wrong, and names the file and the row; with 5 when --state-dir names a folder without an audit.",
  ],
  flags: { ...JSON_FLAG },
  required: [],
  load: () => import("./commands/audit/verify.js"),
};

const AUDIT: CommandGroup = {
  name: "audit",
  summary: "The record of all calls.",
  commands: [SHOW, VERIFY],
};

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

/** It completes the whole table, itself too, which is whole only later. */
function completionGroup(readTable: () => CommandTable): CommandGroup {
  const command: Command = {
    ...COMPLETION,
    load: async () => {
      const { createCompletion } = await import("./completion/completion.js");
      return { run: createCompletion(readTable()) };
    },
  };
  return { name: "completion", summary: COMPLETION.summary, commands: [command] };
}
