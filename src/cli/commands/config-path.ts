// `clawtools config path`: where the config file is looked for; it need not be there.

import { access } from "node:fs/promises";
import { configPath, stateDir } from "../../config/index.js";
import { type CommandCall, printJson } from "../command-call.js";

export async function run({ place, output, switches }: CommandCall): Promise<number> {
  const path = configPath(place);
  if (!switches.has("json")) {
    output.print(path);
    return 0;
  }
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  printJson(output, { path, exists, stateDir: stateDir(place) });
  return 0;
}
