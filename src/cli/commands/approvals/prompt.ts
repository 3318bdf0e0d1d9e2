// A question about a command as lines for a terminal: the command first, nothing cut.

import { isExactPattern, showWord } from "../../../core/command/index.js";
import type { CommandGrant, CommandQuestion } from "../../../core/index.js";
import type { Style } from "../../terminal/style.js";
import { wrapText } from "../../terminal/wrap-text.js";

const INDENT = "  ";
const MS_PER_SECOND = 1_000;
const SECONDS_PER_MINUTE = 60;

export interface PromptView {
  readonly width: number;
  readonly nowMs: number;
  readonly style: Style;
}

export function formatQuestion(question: CommandQuestion, view: PromptView): string[] {
  const { slug, host, agentId, sessionKey, why, expiresAtMs } = question;
  const who = [
    `Request ${slug}`,
    `host ${host}`,
    ...(agentId === undefined ? [] : [`agent ${showWord(agentId)}`]),
    ...(sessionKey === undefined ? [] : [`session ${showWord(sessionKey)}`]),
  ];
  const { width, style, nowMs } = view;
  const [command = "", ...rest] = question.shown;
  return [
    ...breakLine(command, width).map(style.bold),
    ...rest.flatMap((line) => breakLine(line, width)),
    ...wrapText(`Needs your approval: ${why}`, width),
    ...formatAlways(question, width),
    ...wrapText(
      `${who.join(", ")}. Waits for ${formatSpan(expiresAtMs - nowMs)}, until ${toTime(expiresAtMs)}.`,
      width,
    ),
  ];
}

function formatAlways(question: CommandQuestion, width: number): string[] {
  const { grants, onceBecause, agentId = "main" } = question;
  if (grants.length === 0) {
    return wrapText(`Can be allowed only once: ${onceBecause ?? "nothing can be saved"}`, width);
  }
  return [
    `"Always" saves for agent ${showWord(agentId)}:`,
    ...grants.flatMap((grant) => breakLine(`${INDENT}${formatGrant(grant)}`, width)),
  ];
}

/** An approved command in its own words, a typed pattern as it is. */
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

/** Keeps every character, blanks too: what is shown is what runs. */
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
