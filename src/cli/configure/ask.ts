// Asks the person at the terminal one question of the configuration, until there is an answer.

import type { Terminal } from "../command-call.js";
import { wrapText } from "../wrap-text.js";

export interface Asking {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

export interface AskedQuestion {
  readonly text: string;
  readonly choices: readonly string[];
  /** What Enter means. */
  readonly preset: string | undefined;
  /** undefined when the line will do. */
  readonly findFault: (line: string) => string | undefined;
}

/** undefined when there is no answer: the input has ended, or Enter where nothing is preset. */
export async function askLine(
  { terminal, signal }: Asking,
  { text, choices, preset, findFault }: AskedQuestion,
): Promise<string | undefined> {
  const offered = choices.length === 0 ? "" : ` (${choices.join(", ")})`;
  const enter = preset === undefined ? " [Enter: as it is]" : ` [${preset}]`;
  for (;;) {
    for (const line of wrapText(`${text}${offered}${enter}:`, terminal.width)) terminal.write(line);
    const line = await terminal.readLine(signal);
    if (line === undefined) return undefined;
    const answer = line.trim() === "" ? preset : line.trim();
    if (answer === undefined) return undefined;
    const fault = findFault(answer);
    if (fault === undefined) return answer;
    terminal.write(`It ${fault}.`);
  }
}
