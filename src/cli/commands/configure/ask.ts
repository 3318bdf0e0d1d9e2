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
  /** What Enter means. */
  readonly answer?: string | undefined;
  /** Without `answer`: Enter changes nothing, and this applies. Without both it asks again. */
  readonly stays?: string | undefined;
  readonly findFault: (line: string) => string | undefined;
}

/** undefined without an answer: the input has ended, or Enter changes nothing. */
export async function askLine(
  { terminal, signal }: Asking,
  question: AskedQuestion,
): Promise<string | undefined> {
  const { answer: preset, stays, findFault } = question;
  const say = (text: string) => {
    for (const line of wrapText(text, terminal.width)) terminal.write(line);
  };
  for (const line of listMeanings(question, terminal.width)) terminal.write(line);
  for (;;) {
    say(showQuestion(question));
    const line = (await terminal.readLine(signal))?.trim();
    if (line === undefined) return undefined;
    const answer = line === "" ? preset : line;
    if (answer === undefined && stays !== undefined) return undefined;
    if (answer === undefined || answer === HELP) {
      explain(question, { say, terminal });
      continue;
    }
    const fault = findFault(answer);
    if (fault === undefined) return answer;
    say(`It ${fault}.`);
  }
}

function showQuestion({ text, choices, answer, stays }: AskedQuestion): string {
  const offered = choices.length === 0 ? "" : ` (${choices.join(", ")})`;
  const preset = answer ?? stays;
  return `${text}${offered}${preset === undefined ? "" : ` [${preset}]`}:`;
}

function listMeanings({ meanings = {} }: AskedQuestion, width: number): string[] {
  const rows = Object.entries(meanings);
  return rows.length === 0 ? [] : formatColumns({ rows, width });
}

function explain(
  question: AskedQuestion,
  { say, terminal }: { readonly say: (text: string) => void; readonly terminal: Terminal },
): void {
  const { about, choices, answer, stays } = question;
  if (about !== undefined) say(about);
  const meanings = listMeanings(question, terminal.width);
  for (const line of meanings) terminal.write(line);
  if (meanings.length === 0 && choices.length > 0) say(`Type one of ${choices.join(", ")}.`);
  if (answer === undefined && stays !== undefined) say("Enter leaves the config as it is.");
  say("Ctrl-C leaves without a change.");
}
