// `clawtools config get`, `config path` and `config schema`: the config without its secrets.

import { access } from "node:fs/promises";
import {
  configJsonSchema,
  configPath,
  hideSecrets,
  readConfigValue,
  stateDir,
} from "../../../config/index.js";
import { ToolError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { type Command, HIDDEN, show } from "../../command.js";
import { JSON_FLAG } from "../../flags.js";
import { readUsableConfig } from "../../usable-config.js";

export const get: Command = {
  usage: "[KEY]",
  notes: [
    'KEY is written like agents.list[0].id or tools.byProvider["openai/gpt-5.2"].',
    "Values that may be secrets are hidden unless --reveal is given.",
  ],
  flags: { "--reveal": "Print secrets too.", ...JSON_FLAG },
  async run(call) {
    const { words, switches, output } = call;
    const [place = ""] = words;
    const { config, path } = await readUsableConfig(call);
    const value = readConfigValue(
      switches.has("reveal") ? config : hideSecrets(config, HIDDEN),
      place,
    );
    if (value === undefined) throw notSet(place, path);
    if (value === HIDDEN) throw hidden(place);
    if (typeof value === "string" && !switches.has("json")) output.print(value);
    else output.print(JSON.stringify(value, null, 2));
    return 0;
  },
};

export const path: Command = {
  flags: JSON_FLAG,
  async run(call) {
    const file = configPath(call.place);
    const exists = await access(file).then(
      () => true,
      () => false,
    );
    const document = { path: file, exists, stateDir: stateDir(call.place) };
    return show(call, document, () => [file]);
  },
};

export const schema: Command = {
  flags: JSON_FLAG,
  async run({ output }) {
    output.print(JSON.stringify(configJsonSchema(), null, 2));
    return 0;
  },
};

function notSet(place: string, path: string | undefined): ToolError {
  const file = path === undefined ? "the config" : toPrintable(path, 4_096);
  return new ToolError(
    "not_found",
    `"${toPrintable(place, 80)}" is not set in ${file}. \`clawtools config schema\` lists the keys and their defaults.`,
    { reason: "config_not_set" },
  );
}

function hidden(place: string): ToolError {
  return new ToolError(
    "denied",
    `"${toPrintable(place, 80)}" may be a secret and is hidden. Add --reveal to print it.`,
    { reason: "config_hidden" },
  );
}
