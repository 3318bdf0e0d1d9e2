// `clawtools config unset`: takes one value out of the config; its default counts again.

import type { CommandCall } from "../command-call.js";
import { tellFailure } from "../tell-failure.js";
import { applyChange } from "./apply-change.js";

export async function run(call: CommandCall): Promise<number> {
  const [path = ""] = call.words;
  return await tellFailure(call, () => applyChange(call, [{ path, value: undefined }]));
}
