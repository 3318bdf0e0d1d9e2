// `clawtools browser start`: a browser that lives as long as this command.

import { keepOpen } from "../../browser/keep-open.js";
import { readParameters } from "../../browser/parameters.js";
import type { CommandCall } from "../../command-call.js";

export async function run(call: CommandCall): Promise<number> {
  return await keepOpen(call, { action: "start", ...readParameters(call) });
}
