// The commands that show, explain, measure and call the tools.

import { ALLOW_LOCAL_FLAG, AUDIENCE_FLAGS, JSON_FLAG } from "../flags.js";
import { type Command, type CommandGroup, optional } from "./command.js";

const LIST: Command = {
  group: "tools",
  name: "list",
  operands: [],
  summary: "Show the tools that an agent is offered.",
  notes: ["What is not offered is counted; `clawtools tools explain` has the reasons."],
  flags: { ...AUDIENCE_FLAGS, ...JSON_FLAG },
  required: [],
  load: () => import("../commands/tools-list.js"),
};

const EXPLAIN: Command = {
  group: "tools",
  name: "explain",
  operands: optional("NAME", "tools"),
  summary: "Say for each tool, or for one, why it is there or not.",
  notes: [
    "For one tool: the reason, the rule as it stands in the config, and the change of the config that brings it back.",
    "The exit code is 1 when the named tool is absent.",
  ],
  flags: { ...AUDIENCE_FLAGS, ...JSON_FLAG },
  required: [],
  load: () => import("../commands/tools-explain.js"),
};

const SCHEMA: Command = {
  group: "tools",
  name: "schema",
  operands: optional("NAME", "tools"),
  summary: "Show the parameters of the tools as a provider is sent them.",
  notes: ["With --json: the schemas themselves, a list, or one object when a tool is named."],
  flags: { ...AUDIENCE_FLAGS, ...JSON_FLAG },
  required: ["provider"],
  load: () => import("../commands/tools-schema.js"),
};

const CALL: Command = {
  group: "tools",
  name: "call",
  operands: [{ name: "NAME", required: true, completes: "tools" }],
  summary: "Call one tool and print what a model would be told.",
  notes: [
    "The call goes through the same policy and checks as that of a model.",
    "A command of exec is waited for until it ends, because it would end with this program.",
    "A failed call ends with the exit code of its error; the text on stdout says what failed.",
  ],
  flags: {
    json: {
      type: "string",
      value: "ARGUMENTS",
      text: "The arguments, a JSON object; `-` reads them from stdin. Default: {}.",
    },
    details: { type: "boolean", text: "Print the details for programs, as JSON, instead." },
    ...ALLOW_LOCAL_FLAG,
    ...AUDIENCE_FLAGS,
  },
  required: [],
  sample: `clawtools tools call <NAME> --json '{"<KEY>": "<VALUE>"}'`,
  load: () => import("../commands/tools-call.js"),
};

const COST: Command = {
  group: "tools",
  name: "cost",
  operands: [],
  summary: "Estimate how many tokens the tool schemas take of each request.",
  notes: ["Tokens are an estimate: characters divided by 4."],
  flags: { ...AUDIENCE_FLAGS, ...JSON_FLAG },
  required: ["provider"],
  load: () => import("../commands/tools-cost.js"),
};

export const TOOLS: CommandGroup = {
  name: "tools",
  summary: "See, explain, measure and call the tools.",
  commands: [LIST, EXPLAIN, SCHEMA, CALL, COST],
};
