// The commands that read, check and change the config.

import { type FlagTable, JSON_FLAG } from "../flags.js";
import { type Command, type CommandGroup, optional } from "./command.js";

const CONFIG_GET: Command = {
  group: "config",
  name: "get",
  operands: optional("PATH", "config-keys"),
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

const DRY_RUN = {
  "dry-run": { type: "boolean", text: "Show the change, check it, and write nothing." },
} as const satisfies FlagTable;

const CONFIG_SET: Command = {
  group: "config",
  name: "set",
  operands: [
    { name: "KEY", required: true, completes: "config-keys" },
    { name: "VALUE", required: true },
  ],
  summary: "Set one value of the config; comments and the rest of the file stay.",
  notes: [
    "VALUE is JSON5, or plain text; `-` reads it from stdin, which keeps a secret off the command line. A value that begins with a dash stands behind `--`.",
    "What would not load is refused, with the reason, and so is a key that is not known. A file that is not there is made.",
  ],
  flags: { ...DRY_RUN, ...JSON_FLAG },
  required: [],
  sample: "clawtools config set tools.profile coding",
  load: () => import("../config-change/set.js"),
};

const CONFIG_UNSET: Command = {
  group: "config",
  name: "unset",
  operands: [{ name: "KEY", required: true, completes: "config-keys" }],
  summary: "Take one value out of the config; its default counts again.",
  notes: ["Comments and the rest of the file stay."],
  flags: { ...DRY_RUN, ...JSON_FLAG },
  required: [],
  sample: "clawtools config unset tools.profile",
  load: () => import("../config-change/unset.js"),
};

const CONFIG_VALIDATE: Command = {
  group: "config",
  name: "validate",
  operands: optional("FILE", "files"),
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

export const CONFIG: CommandGroup = {
  name: "config",
  summary: "Read, check and change the config.",
  commands: [CONFIG_GET, CONFIG_SET, CONFIG_UNSET, CONFIG_VALIDATE, CONFIG_SCHEMA, CONFIG_PATH],
};
