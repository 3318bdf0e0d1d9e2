// A question about a command as lines for a terminal: all of it, nothing cut, no colour.

import { isExactPattern, showWord } from "../../core/command/index.js";
import type { CommandGrant, CommandQuestion } from "../../core/index.js";
import { wrapText } from "../wrap-text.js";

const INDENT = "  ";
const MS_PER_SECOND = 1_000;
const SECONDS_PER_MINUTE = 60;

export interface PromptView {
  readonly width: number;
  readonly nowMs: number;
}

export function formatQuestion(question: CommandQuestion, view: PromptView): string[] {
  const { slug, host, agentId, sessionKey, why } = question;
  const who = [
    `request ${slug}`,
    `host ${host}`,
    ...(agentId === undefined ? [] : [`agent ${showWord(agentId)}`]),
    ...(sessionKey === undefined ? [] : [`session ${showWord(sessionKey)}`]),
  ];
  const { width } = view;
  return [
    ...wrapText(`A command needs your approval (${who.join(", ")}).`, width),
    ...question.shown.flatMap((line) => breakLine(line, width)),
    ...wrapText(`Why: ${why}`, width),
    ...formatAlways(question, width),
    `Waits for ${formatSpan(question.expiresAtMs - view.nowMs)}, until ${toTime(question.expiresAtMs)}.`,
  ];
}

function formatAlways(question: CommandQuestion, width: number): string[] {
  const { grants, onceBecause, agentId = "main" } = question;
  if (grants.length === 0) {
    return wrapText(`It can be allowed only once: ${onceBecause ?? "nothing can be saved"}`, width);
  }
  return [
    `"Always" saves for agent ${showWord(agentId)}:`,
    ...grants.flatMap((grant) => breakLine(`${INDENT}${formatGrant(grant)}`, width)),
  ];
}

/** What was approved is reported in its own words; a pattern that someone typed as it is. */
export function formatGrant({ pattern, argPattern, shown }: CommandGrant): string {
  if (shown !== undefined) return `exactly ${shown}`;
  if (argPattern === undefined) return showWord(pattern);
  if (isExactPattern(argPattern)) return `${showWord(pattern)}, one exact call (${argPattern})`;
  return `${showWord(pattern)}, arguments ${showWord(argPattern)}`;
}

export function formatSpan(spanMs: number): string {
  const seconds = Math.max(0, Math.ceil(spanMs / MS_PER_SECOND));
  if (seconds < 2 * SECONDS_PER_MINUTE) return `${seconds} s`;
  return `${Math.floor(seconds / SECONDS_PER_MINUTE)} min ${seconds % SECONDS_PER_MINUTE} s`;
}

function toTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 19).concat(" UTC");
}

/** Every character stays, blanks too: what is shown is what runs. */
function breakLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let part = "";
  for (const character of line) {
    if (part.length + character.length > width) {
      lines.push(part);
      part = `${INDENT}${INDENT}`;
    }
    part += character;
  }
  return [...lines, part];
}
