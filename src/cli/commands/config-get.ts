// `clawtools config get`: the config in force, or one value of it, without its secrets.

import { hideSecrets, readConfigValue } from "../../config/index.js";
import { ToolError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { type CommandCall, HIDDEN, printJson } from "../command-call.js";
import { readUsableConfig } from "../usable-config.js";

export async function run(call: CommandCall): Promise<number> {
  const { words, switches, output } = call;
  const [place = ""] = words;
  const { config, path } = await readUsableConfig(call);
  const shown = switches.has("reveal") ? config : hideSecrets(config, HIDDEN);
  const value = readConfigValue(shown, place);
  if (value === undefined) throw notSet(place, path);
  if (value === HIDDEN) throw hidden(place);
  if (typeof value === "string" && !switches.has("json")) output.print(value);
  else printJson(output, value);
  return 0;
}

function notSet(place: string, path: string | undefined): ToolError {
  const file = path === undefined ? "the config" : toPrintable(path, 4_096);
  return new ToolError(
    "not_found",
    `"${toPrintable(place, 80)}" is not set in ${file}; \`clawtools config schema\` lists the keys and their defaults.`,
    { reason: "config_not_set" },
  );
}

function hidden(place: string): ToolError {
  return new ToolError(
    "denied",
    `"${toPrintable(place, 80)}" may be a secret and is hidden; add --reveal to print it.`,
    { reason: "config_hidden" },
  );
}
