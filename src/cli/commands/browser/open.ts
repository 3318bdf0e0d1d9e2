// `clawtools browser open URL`: a page in a browser that lives as long as this command.

import { keepOpen } from "../../browser/keep-open.js";
import { readParameters } from "../../browser/parameters.js";
import type { CommandCall } from "../../command-call.js";

export async function run(call: CommandCall): Promise<number> {
  const [targetUrl] = call.words;
  return await keepOpen(call, { action: "open", targetUrl, ...readParameters(call) });
}
