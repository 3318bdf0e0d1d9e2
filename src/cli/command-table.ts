// Every command as data: its words, flags and help. What a command does is loaded when it is chosen,
// so help and version load nothing but this.

import type { CommandCall } from "./command-call.js";
import { AUDIENCE_FLAGS, type FlagTable, JSON_FLAG } from "./flags.js";

export interface CommandModule {
  /** Resolves to the exit code. */
  run(call: CommandCall): Promise<number>;
}

export interface Command {
  readonly group: string;
  /** "" for a command that is one word, its group. */
  readonly name: string;
  /** What follows the two words, for help: `[NAME]`. */
  readonly operands: readonly Operand[];
  readonly summary: string;
  /** Further sentences of its help. */
  readonly notes: readonly string[];
  readonly flags: FlagTable;
  readonly required: readonly string[];
  /** How it is called rightly, for whoever gives it a word or a flag that it does not take. */
  readonly sample?: string;
  readonly load: () => Promise<CommandModule>;
}

interface Operand {
  readonly name: string;
  readonly required: boolean;
}

const optional = (name: string): Operand[] => [{ name, required: false }];

const LIST: Command = {
  group: "tools",
  name: "list",
  operands: [],
  summary: "Show the tools that an agent is offered.",
  notes: ["What is not offered is counted; `clawtools tools explain` has the reasons."],
  flags: { ...AUDIENCE_FLAGS, ...JSON_FLAG },
  required: [],
  load: () => import("./commands/tools-list.js"),
};

const EXPLAIN: Command = {
  group: "tools",
  name: "explain",
  operands: optional("NAME"),
  summary: "Say for each tool, or for one, why it is there or not.",
  notes: [
    "For one tool: the reason, the rule as it stands in the config, and the change of the config that brings it back.",
    "The exit code is 1 when the named tool is absent.",
  ],
  flags: { ...AUDIENCE_FLAGS, ...JSON_FLAG },
  required: [],
  load: () => import("./commands/tools-explain.js"),
};

const SCHEMA: Command = {
  group: "tools",
  name: "schema",
  operands: optional("NAME"),
  summary: "Show the parameters of the tools as a provider is sent them.",
  notes: ["With --json: the schemas themselves, a list, or one object when a tool is named."],
  flags: { ...AUDIENCE_FLAGS, ...JSON_FLAG },
  required: ["provider"],
  load: () => import("./commands/tools-schema.js"),
};

const CALL: Command = {
  group: "tools",
  name: "call",
  operands: [{ name: "NAME", required: true }],
  summary: "Call one tool and print what a model would be told.",
  notes: [
    "The call goes through the same policy and checks as that of a model.",
    "A failed call ends with the exit code of its error; the text on stdout says what failed.",
  ],
  flags: {
    json: {
      type: "string",
      value: "ARGUMENTS",
      text: "The arguments, a JSON object; `-` reads them from stdin. Default: {}.",
    },
    details: { type: "boolean", text: "Print the details for programs, as JSON, instead." },
    ...AUDIENCE_FLAGS,
  },
  required: [],
  sample: `clawtools tools call read --json '{"path": "a.txt"}'`,
  load: () => import("./commands/tools-call.js"),
};

const COST: Command = {
  group: "tools",
  name: "cost",
  operands: [],
  summary: "Estimate how many tokens the tool schemas take of each request.",
  notes: ["Tokens are an estimate: characters divided by 4."],
  flags: { ...AUDIENCE_FLAGS, ...JSON_FLAG },
  required: ["provider"],
  load: () => import("./commands/tools-cost.js"),
};

const CONFIG_GET: Command = {
  group: "config",
  name: "get",
  operands: optional("PATH"),
  summary: "Print the config, or the value at one place of it.",
  notes: [
    'A place is written like agents.list[0].id or tools.byProvider["openai/gpt-5.2"].',
    "Values that may be secrets are hidden unless --reveal is given.",
  ],
  flags: {
    reveal: { type: "boolean", text: "Print secrets too." },
    ...JSON_FLAG,
  },
  required: [],
  load: () => import("./commands/config-get.js"),
};

const CONFIG_VALIDATE: Command = {
  group: "config",
  name: "validate",
  operands: optional("FILE"),
  summary: "Check the config, or the given file, and list every problem.",
  notes: ["The exit code is 2 when a problem is an error."],
  flags: JSON_FLAG,
  required: [],
  load: () => import("./commands/config-validate.js"),
};

const CONFIG_SCHEMA: Command = {
  group: "config",
  name: "schema",
  operands: [],
  summary: "Print the JSON Schema of the config, for editors.",
  notes: [],
  flags: JSON_FLAG,
  required: [],
  load: () => import("./commands/config-schema.js"),
};

const CONFIG_PATH: Command = {
  group: "config",
  name: "path",
  operands: [],
  summary: "Print where the config file is looked for.",
  notes: [],
  flags: JSON_FLAG,
  required: [],
  load: () => import("./commands/config-path.js"),
};

const REQUEST: Operand = { name: "REQUEST", required: true };

const REQUESTS: Command = {
  group: "approvals",
  name: "list",
  operands: optional("REQUEST"),
  summary: "Show the commands that wait for an answer, or one of them whole.",
  notes: ["REQUEST is the id of a request, or its beginning."],
  flags: {
    past: { type: "boolean", text: "Show who answered what instead, newest first." },
    ...JSON_FLAG,
  },
  required: [],
  load: () => import("./commands/approvals/list.js"),
};

const APPROVE: Command = {
  group: "approvals",
  name: "approve",
  operands: [REQUEST],
  summary: "Let a command that waits run, once.",
  notes: [
    "The first answer counts. It holds for exactly the command that was shown.",
    "With --always: what `clawtools approvals list REQUEST` shows is saved in the list of grants too.",
  ],
  flags: {
    always: { type: "boolean", text: "Also save it, so that it is not asked about again." },
    ...JSON_FLAG,
  },
  required: [],
  load: () => import("./commands/approvals/approve.js"),
};

const DENY: Command = {
  group: "approvals",
  name: "deny",
  operands: [REQUEST],
  summary: "Refuse a command that waits.",
  notes: [],
  flags: {
    reason: { type: "string", value: "TEXT", text: "What the agent is told." },
    ...JSON_FLAG,
  },
  required: [],
  load: () => import("./commands/approvals/deny.js"),
};

const GRANTS: Command = {
  group: "approvals",
  name: "grants",
  operands: [...optional("ACTION"), ...optional("WHAT")],
  summary: "List, add or remove what may run without being asked about.",
  notes: [
    "ACTION is list (the default), add or remove.",
    "add PROGRAM: an absolute path, in which * stands for one name and ** for several, or the bare name of a program. Without --args a program that can start others is covered only as far as it is known to be harmless.",
    "remove ID: as list shows it.",
  ],
  flags: {
    args: {
      type: "string",
      value: "PATTERN",
      text: "Only with such arguments: a regular expression for all of them, joined by spaces.",
    },
    agent: {
      type: "string",
      value: "ID",
      text: "For this agent; default: main. `*` is every agent.",
    },
    for: { type: "string", value: "TIME", text: "Ends after so long: 90s, 30m, 12h, 7d." },
    ...JSON_FLAG,
  },
  required: [],
  load: () => import("./commands/approvals/grants.js"),
};

const WATCH: Command = {
  group: "approvals",
  name: "watch",
  operands: [],
  summary: "Wait for questions about commands, and ask them here.",
  notes: [
    "While it runs, agents of this user that use the same state folder wait for your answer instead of being refused.",
  ],
  flags: {},
  required: [],
  load: () => import("./commands/approvals/watch.js"),
};

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

export const GROUPS: Readonly<Record<string, string>> = {
  tools: "See, explain, measure and call the tools.",
  config: "Read and check the config.",
  approvals: "Answer questions about commands, and keep the list of grants.",
  undo: UNDO.summary,
  diff: DIFF.summary,
};

export const COMMANDS: readonly Command[] = [
  LIST,
  EXPLAIN,
  SCHEMA,
  CALL,
  COST,
  CONFIG_GET,
  CONFIG_VALIDATE,
  CONFIG_SCHEMA,
  CONFIG_PATH,
  REQUESTS,
  APPROVE,
  DENY,
  GRANTS,
  WATCH,
  UNDO,
  DIFF,
];
