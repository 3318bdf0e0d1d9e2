// The person at the terminal as an approver of a toolkit: one question after the other.

import type { ApprovalAnswer, ApprovalRequest, Approver } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import type { Terminal } from "../command-call.js";
import { wrapText } from "../wrap-text.js";
import { askPerson } from "./ask-person.js";

const MAX_TITLE_CHARS = 4_000;

export function createTerminalApprover(terminal: Terminal): Approver {
  let last: Promise<unknown> = Promise.resolve();
  return (request, { signal }) => {
    const answer = last.then(() => ask(request, { terminal, signal }));
    last = answer.catch(() => undefined);
    return answer;
  };
}

async function ask(
  request: ApprovalRequest,
  person: { readonly terminal: Terminal; readonly signal: AbortSignal },
): Promise<ApprovalAnswer> {
  const { terminal, signal } = person;
  signal.throwIfAborted();
  if (request.command) return askPerson(request.command, person);
  const title = toPrintable(request.title, MAX_TITLE_CHARS);
  for (const line of wrapText(`${title} needs your approval.`, terminal.width))
    terminal.write(line);
  terminal.write("[y] once  [n] no, then Enter:");
  const line = await terminal.readLine(signal);
  return { decision: /^\s*y(es)?\s*$/i.test(line ?? "") ? "allow-once" : "deny" };
}
