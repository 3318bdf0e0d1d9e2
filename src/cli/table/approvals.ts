// The commands that answer questions about commands and keep the list of grants.

import { JSON_FLAG } from "../flags.js";
import { type Command, type CommandGroup, type Operand, optional } from "./command.js";

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
  load: () => import("../commands/approvals/list.js"),
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
  load: () => import("../commands/approvals/approve.js"),
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
  load: () => import("../commands/approvals/deny.js"),
};

const GRANTS: Command = {
  group: "approvals",
  name: "grants",
  operands: [...optional("ACTION", ["list", "add", "remove"]), ...optional("WHAT")],
  summary: "List, add or remove what may run without being asked about.",
  notes: [
    "ACTION is list (the default), add or remove.",
    "add PROGRAM: an absolute path, in which * stands for one name and ** for several, or the bare name of a program. Without --args it covers what a profile knows to be harmless, everything of a program that you installed yourself, and nothing of others; `add` says which.",
    "list: with --agent only the entries of that agent.",
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
  load: () => import("../commands/approvals/grants.js"),
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
  load: () => import("../commands/approvals/watch.js"),
};

export const APPROVALS: CommandGroup = {
  name: "approvals",
  summary: "Answer questions about commands, and keep the list of grants.",
  commands: [REQUESTS, APPROVE, DENY, GRANTS, WATCH],
};
