// What a call answers that waits in the queue of approvals: the words to type, and what to do then.

import type { CommandQuestion } from "../../../../core/index.js";
import { toPrintable } from "../../../../lib/printable.js";
import { shellQuote } from "../../../../lib/system/shell-quote.js";

const MAX_COMMAND_CHARS = 200;

/** `program`: what a person types for the command line. */
export function tellWaiting(question: CommandQuestion, program: string): object {
  const { slug, command, why, expiresAtMs, stateDir } = question;
  const flag = stateDir === undefined ? "" : ` --state-dir ${shellQuote(stateDir)}`;
  const until = new Date(expiresAtMs).toISOString();
  const text = [
    `"${toPrintable(command, MAX_COMMAND_CHARS)}" needs an approval: ${toPrintable(why)}`,
    `It waits as request ${slug} until ${until}. Ask the user to run in a terminal:`,
    "",
    `  ${program} approvals approve ${slug}${flag}`,
    "",
    `or \`${program} approvals deny ${slug}${flag}\`. Then make the same call again: it answers with the result. Do not look for a way around it.`,
  ].join("\n");
  return { content: [{ type: "text", text }], isError: true };
}
