// `clawtools approvals deny`: a no to one command, with a word for the agent.

import { type CommandCall, printJson } from "../../command-call.js";
import { withApprovals } from "./with-approvals.js";

export async function run(call: CommandCall): Promise<number> {
  const { output, switches, words, texts } = call;
  const [name = ""] = words;
  return await withApprovals(call, async ({ table, by }) => {
    const { question } = await table.answer({ name, decision: "deny", reason: texts.reason, by });
    if (switches.has("json")) printJson(output, { id: question.id, decision: "deny" });
    else output.print(`Request ${question.slug} is denied.`);
    return 0;
  });
}
