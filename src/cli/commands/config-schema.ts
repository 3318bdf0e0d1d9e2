// `clawtools config schema`: the JSON Schema of the config; it is JSON with and without --json.

import { configJsonSchema } from "../../config/index.js";
import { type CommandCall, printJson } from "../command-call.js";

export async function run({ output }: CommandCall): Promise<number> {
  printJson(output, configJsonSchema());
  return 0;
}
