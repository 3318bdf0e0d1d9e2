// Asks the person at the terminal one question of the configuration, until there is an answer.

import type { Terminal } from "../../command.js";
import { formatColumns, wrapText } from "../../terminal/wrap-text.js";

const HELP = "?";

export interface Asking {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

export interface AskedQuestion {
  readonly text: string;
  readonly choices: readonly string[];
  /** Shown with the question, and again for `?`. */
  readonly meanings?: Readonly<Record<string, string>> | undefined;
  /** Shown for `?`. */
  readonly about?: string | undefined;
  /** `answer`: Enter means this. `stays`: Enter changes nothing and this applies. */
  readonly enter: { readonly answer: string } | { readonly stays: string } | "asks again";
  readonly findFault: (line: string) => string | undefined;
}

/** undefined without an answer: the input has ended, or Enter changes nothing. */
export async function askLine(
  { terminal, signal }: Asking,
  question: AskedQuestion,
): Promise<string | undefined> {
  const { enter, findFault } = question;
  const say = (text: string) => {
    for (const line of wrapText(text, terminal.width)) terminal.write(line);
  };
  for (const line of listMeanings(question, terminal.width)) terminal.write(line);
  for (;;) {
    say(showQuestion(question));
    const line = (await terminal.readLine(signal))?.trim();
    if (line === undefined) return undefined;
    if (line === HELP || (line === "" && enter === "asks again")) {
      explain(question, { say, terminal });
      continue;
    }
    if (line === "" && enter !== "asks again" && "stays" in enter) return undefined;
    const answer = line === "" && enter !== "asks again" && "answer" in enter ? enter.answer : line;
    const fault = findFault(answer);
    if (fault === undefined) return answer;
    say(`It ${fault}.`);
  }
}

function showQuestion({ text, choices, enter }: AskedQuestion): string {
  const offered = choices.length === 0 ? "" : ` (${choices.join(", ")})`;
  if (enter === "asks again") return `${text}${offered}:`;
  return `${text}${offered} [${"answer" in enter ? enter.answer : enter.stays}]:`;
}

function listMeanings({ meanings = {} }: AskedQuestion, width: number): string[] {
  const rows = Object.entries(meanings);
  return rows.length === 0 ? [] : formatColumns({ rows, width });
}

function explain(
  question: AskedQuestion,
  { say, terminal }: { readonly say: (text: string) => void; readonly terminal: Terminal },
): void {
  const { about, choices, enter } = question;
  if (about !== undefined) say(about);
  const meanings = listMeanings(question, terminal.width);
  for (const line of meanings) terminal.write(line);
  if (meanings.length === 0 && choices.length > 0) say(`Type one of ${choices.join(", ")}.`);
  if (enter !== "asks again" && "stays" in enter) say("Enter leaves the config as it is.");
  say("Ctrl-C leaves without a change.");
}
