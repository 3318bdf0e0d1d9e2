// `clawtools approvals approve` and `deny`: the answer to one pending command. The first answer counts.

import { ToolInputError } from "../../../core/index.js";
import { type Command, type CommandCall, show } from "../../command.js";
import { JSON_FLAG } from "../../flags.js";
import { wrapText } from "../../terminal/wrap-text.js";
import { formatGrant } from "./prompt.js";
import { findRequest, withApprovals } from "./with-approvals.js";

export const approve: Command = {
  usage: "REQUEST",
  notes: [
    "The first answer counts. It applies to exactly the command that was shown.",
    "With --always, what `clawtools approvals list REQUEST` shows is also saved as a grant.",
  ],
  flags: { "--always": "Remember this answer.", ...JSON_FLAG },
  run: (call) => (call.switches.has("always") ? approveAlways(call) : approveOnce(call)),
};

export const deny: Command = {
  usage: "REQUEST",
  flags: { "--reason TEXT": "Tell the agent why.", ...JSON_FLAG },
  run: async (call) =>
    await withApprovals(call, async ({ table, by }) => {
      const [name = ""] = call.words;
      const answer = { name, decision: "deny", reason: call.texts.reason, by } as const;
      const { question } = await table.answer(answer);
      return show(call, { id: question.id, decision: "deny" }, () => [
        `Request ${question.slug} is denied.`,
      ]);
    }),
};

async function approveOnce(call: CommandCall): Promise<number> {
  return await withApprovals(call, async ({ table, by }) => {
    const [name = ""] = call.words;
    const { question } = await table.answer({ name, decision: "allow-once", by });
    return show(call, { id: question.id, decision: "allow-once", grants: [] }, () =>
      wrapText(`Request ${question.slug} may run once.`, call.width),
    );
  });
}

async function approveAlways(call: CommandCall): Promise<number> {
  return await withApprovals(call, async ({ table, by }) => {
    const [name = ""] = call.words;
    const waiting = await findRequest(table, name);
    if (waiting.question.grants.length === 0) {
      const { slug, onceBecause = "nothing of it can be saved" } = waiting.question;
      throw new ToolInputError(
        `Request ${slug} can be allowed only once: ${onceBecause}. Leave out --always.`,
        { reason: "grant_impossible" },
      );
    }
    const decision = "allow-always";
    const { question } = await table.answer({ name, decision, by });
    return show(call, { id: question.id, decision, grants: question.grants }, () => [
      ...wrapText(
        `Request ${question.slug} may run now and always. Saved when it starts:`,
        call.width,
      ),
      ...question.grants.flatMap((grant) => wrapText(formatGrant(grant), call.width)),
    ]);
  });
}
