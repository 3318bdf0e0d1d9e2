// `clawtools browser tabs`: the tabs of the browser that is kept open.

import { callOnce, readPlace } from "../../browser/with-caller.js";
import type { CommandCall } from "../../command-call.js";

export async function run(call: CommandCall): Promise<number> {
  return await callOnce(call, { given: { action: "tabs", ...readPlace(call) }, isOwn: false });
}
