// The commands about the config.

import { JSON_FLAG } from "../flags.js";
import { type Command, optional } from "./command.js";

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
  load: () => import("../commands/config-get.js"),
};

const CONFIG_VALIDATE: Command = {
  group: "config",
  name: "validate",
  operands: optional("FILE"),
  summary: "Check the config, or the given file, and list every problem.",
  notes: ["The exit code is 2 when a problem is an error."],
  flags: JSON_FLAG,
  required: [],
  load: () => import("../commands/config-validate.js"),
};

const CONFIG_SCHEMA: Command = {
  group: "config",
  name: "schema",
  operands: [],
  summary: "Print the JSON Schema of the config, for editors.",
  notes: [],
  flags: JSON_FLAG,
  required: [],
  load: () => import("../commands/config-schema.js"),
};

const CONFIG_PATH: Command = {
  group: "config",
  name: "path",
  operands: [],
  summary: "Print where the config file is looked for.",
  notes: [],
  flags: JSON_FLAG,
  required: [],
  load: () => import("../commands/config-path.js"),
};

export const CONFIG_COMMANDS: readonly Command[] = [
  CONFIG_GET,
  CONFIG_VALIDATE,
  CONFIG_SCHEMA,
  CONFIG_PATH,
];
