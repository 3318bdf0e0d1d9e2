// What a call answers that waits in the queue of approvals: the words to type, and what to do then.

import type { CommandQuestion } from "../../../../core/index.js";
import { toPrintable } from "../../../../lib/printable.js";

const MAX_COMMAND_CHARS = 200;

export function tellWaiting({ slug, command, why, expiresAtMs }: CommandQuestion): object {
  const until = new Date(expiresAtMs).toISOString();
  const text = [
    `"${toPrintable(command, MAX_COMMAND_CHARS)}" needs an approval: ${toPrintable(why)}`,
    `It waits as request ${slug} until ${until}. Ask the user to run in a terminal:`,
    "",
    `  clawtools approvals approve ${slug}`,
    "",
    `or \`clawtools approvals deny ${slug}\`. Then make the same call again: it answers with the result. Do not look for a way around it.`,
  ].join("\n");
  return { content: [{ type: "text", text }], isError: true };
}
