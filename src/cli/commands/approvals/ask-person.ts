// The person at the terminal as an approver, who is asked about one call after the other.

import { userInfo } from "node:os";
import type {
  ApprovalAnswer,
  ApprovalDecision,
  ApprovalRequest,
  Approver,
  CommandQuestion,
} from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import type { Terminal } from "../../command.js";
import { wrapText } from "../../terminal/wrap-text.js";
import { formatQuestion } from "./prompt.js";

const WORDS: Readonly<Record<string, ApprovalDecision>> = {
  y: "allow-once",
  yes: "allow-once",
  a: "allow-always",
  always: "allow-always",
  n: "deny",
  no: "deny",
};

const MAX_TITLE_CHARS = 4_000;

interface Person {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

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

/** Says how a question ended that was answered elsewhere. */
async function askCommand(question: CommandQuestion, person: Person): Promise<ApprovalAnswer> {
  const { terminal, signal } = person;
  try {
    return await askPerson(question, person);
  } catch (error) {
    const { reason } = signal;
    const end = reason instanceof Error ? toPrintable(reason.message) : "is over";
    if (signal.aborted) terminal.write(`Request ${question.slug} ${end}.`);
    throw error;
  }
}

export function describeUser(place: "on the command line" | "at the terminal"): string {
  try {
    return `${userInfo().username} ${place}`;
  } catch {
    // Thrown for a user id without an entry in the user database.
    return `unknown user ${place}`;
  }
}

/** Repeats the choices until there is a valid answer. */
export async function askPerson(
  question: CommandQuestion,
  { terminal, signal }: Person,
): Promise<ApprovalAnswer> {
  const { width, style } = terminal;
  const lines = formatQuestion(question, { width, style, nowMs: Date.now() });
  for (const line of lines) terminal.write(line);
  const canAlways = question.decisions.includes("allow-always");
  const choices = canAlways ? "[y] once  [a] always  [n] no" : "[y] once  [n] no";
  for (;;) {
    terminal.write(`${choices}, then Enter:`);
    const line = await terminal.readLine(signal);
    if (line === undefined) return { decision: "deny", reason: "the input has ended" };
    const decision = readDecision(line);
    if (decision !== undefined && (canAlways || decision !== "allow-always")) return { decision };
  }
}

function readDecision(line: string): ApprovalDecision | undefined {
  const word = line.trim().toLowerCase();
  return Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
}
