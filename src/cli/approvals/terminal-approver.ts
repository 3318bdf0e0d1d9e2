// The person at the terminal as an approver of a toolkit: one question after the other.

import type {
  ApprovalAnswer,
  ApprovalRequest,
  Approver,
  CommandQuestion,
} from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import type { Terminal } from "../command-call.js";
import { wrapText } from "../wrap-text.js";
import { askPerson, type Person } from "./ask-person.js";
import { describeUser } from "./describe-user.js";

const MAX_TITLE_CHARS = 4_000;

export function createTerminalApprover(terminal: Terminal): Approver {
  let last: Promise<unknown> = Promise.resolve();
  return (request, { signal }) => {
    const answer = last.then(() => ask(request, { terminal, signal }));
    last = answer.catch(() => undefined);
    return answer;
  };
}

async function ask(request: ApprovalRequest, person: Person): Promise<ApprovalAnswer> {
  const { terminal, signal } = person;
  signal.throwIfAborted();
  const by = describeUser("at the terminal");
  if (request.command) return { ...(await askCommand(request.command, person)), by };
  const title = toPrintable(request.title, MAX_TITLE_CHARS);
  for (const line of wrapText(`${title} needs your approval.`, terminal.width))
    terminal.write(line);
  terminal.write("[y] once  [n] no, then Enter:");
  const line = await terminal.readLine(signal);
  return { decision: /^\s*y(es)?\s*$/i.test(line ?? "") ? "allow-once" : "deny", by };
}

/** Whoever sits before a question that another one has answered is told so. */
async function askCommand(question: CommandQuestion, person: Person): Promise<ApprovalAnswer> {
  const { terminal, signal } = person;
  try {
    return await askPerson(question, person);
  } catch (error) {
    if (signal.aborted) terminal.write(`Request ${question.slug} ${describeEnd(signal)}.`);
    throw error;
  }
}

/** The gate says how it has ended. */
function describeEnd({ reason }: AbortSignal): string {
  return reason instanceof Error ? toPrintable(reason.message) : "is over";
}
