// Asks the person at the terminal about one command, until there is an answer that can be one.

import type { ApprovalAnswer, ApprovalDecision, CommandQuestion } from "../../core/index.js";
import type { Terminal } from "../command-call.js";
import { formatQuestion } from "./prompt.js";

const WORDS: Readonly<Record<string, ApprovalDecision>> = {
  y: "allow-once",
  yes: "allow-once",
  a: "allow-always",
  always: "allow-always",
  n: "deny",
  no: "deny",
};

export interface Person {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

export async function askPerson(
  question: CommandQuestion,
  { terminal, signal }: Person,
): Promise<ApprovalAnswer> {
  const { width } = terminal;
  for (const line of formatQuestion(question, { width, nowMs: Date.now() })) terminal.write(line);
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
