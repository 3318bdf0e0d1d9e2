// `clawtools browser status`: which browser is there, and whether it runs.

import { callOnce, readPlace } from "../../browser/with-caller.js";
import type { CommandCall } from "../../command-call.js";

export async function run(call: CommandCall): Promise<number> {
  const given = { action: "status", ...readPlace(call) };
  return await callOnce(call, { given, isOwn: true });
}
