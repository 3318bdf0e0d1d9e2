// `clawtools approvals approve`: a yes to one command, by whoever comes first.

import { ToolInputError } from "../../../core/index.js";
import { formatGrant } from "../../approvals/prompt.js";
import { type CommandCall, printJson, printLines } from "../../command-call.js";
import { wrapText } from "../../wrap-text.js";
import { findRequest } from "./find-request.js";
import { withApprovals } from "./with-approvals.js";

export async function run(call: CommandCall): Promise<number> {
  const { output, switches, words, width } = call;
  const [name = ""] = words;
  const isForGood = switches.has("always");
  return await withApprovals(call, async ({ table, by }) => {
    const waiting = isForGood ? await findRequest(table, name) : undefined;
    if (waiting && waiting.question.grants.length === 0) {
      const { slug, onceBecause = "nothing of it can be saved" } = waiting.question;
      throw new ToolInputError(
        `Request ${slug} can be allowed only once: ${onceBecause}. Leave --always out.`,
        { reason: "grant_impossible" },
      );
    }
    const decision = isForGood ? "allow-always" : "allow-once";
    const { question } = await table.answer({ name, decision, by });
    if (switches.has("json")) {
      printJson(output, { id: question.id, decision, grants: isForGood ? question.grants : [] });
      return 0;
    }
    const saved = isForGood ? " and for good; saved when it starts:" : ".";
    printLines(output, [
      ...wrapText(`Request ${question.slug} may run once${saved}`, width),
      ...(isForGood ? question.grants.flatMap((grant) => wrapText(formatGrant(grant), width)) : []),
    ]);
    return 0;
  });
}
