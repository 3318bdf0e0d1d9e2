// `clawtools diff`: what a call changed in files, as a unified diff.

import { type CommandCall, printJson } from "../command-call.js";
import { toPlainLines } from "../plain-lines.js";
import { tellFailure } from "../tell-failure.js";
import { chooseCall } from "../undo/latest-call.js";
import { withToolkit } from "../with-toolkit.js";

export async function run(call: CommandCall): Promise<number> {
  return await tellFailure(call, () => runDiff(call));
}

async function runDiff(call: CommandCall): Promise<number> {
  const { output, switches, words } = call;
  return await withToolkit(call, async ({ toolkit }) => {
    const id = words[0] ?? (await chooseCall(toolkit)).toolCallId;
    const diff = await call.untilStopped((signal) => toolkit.diff(id, { signal }));
    if (switches.has("json")) printJson(output, diff);
    else output.print(toPlainLines(output, diff.text.replace(/\n$/, "")));
    return 0;
  });
}
