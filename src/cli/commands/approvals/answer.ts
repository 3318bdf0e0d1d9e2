// `clawtools approvals approve` and `deny`: the answer to one pending command. The first answer counts.

import { ToolInputError } from "../../../core/index.js";
import type { RequestTable } from "../../../drivers/approvals/index.js";
import { type Command, show } from "../../command.js";
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
  run: async (call) =>
    await withApprovals(call, async ({ table, by }) => {
      const [name = ""] = call.words;
      const isAlways = call.switches.has("always");
      if (isAlways) await assertSavable(table, name);
      const decision = isAlways ? "allow-always" : "allow-once";
      const { question } = await table.answer({ name, decision, by });
      const { id, slug } = question;
      const grants = isAlways ? question.grants : [];
      const what = isAlways ? "now and always. Saved when it starts:" : "once.";
      return show(call, { id, decision, grants }, () => [
        ...wrapText(`Request ${slug} may run ${what}`, call.width),
        ...grants.flatMap((grant) => wrapText(formatGrant(grant), call.width)),
      ]);
    }),
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

async function assertSavable(table: RequestTable, name: string): Promise<void> {
  const {
    slug,
    grants,
    onceBecause = "nothing of it can be saved",
  } = (await findRequest(table, name)).question;
  if (grants.length > 0) return;
  throw new ToolInputError(
    `Request ${slug} can be allowed only once: ${onceBecause}. Leave out --always.`,
    { reason: "grant_impossible" },
  );
}
