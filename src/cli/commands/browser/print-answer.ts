// Prints a tool answer for a person, in command-line terms and without the markers for models.

import { toPrintable } from "../../../lib/printable.js";
import { readText } from "../../../lib/read-field.js";
import type { CommandCall } from "../../command.js";
import { inOwnWords } from "../../own-command.js";
import { toPlainLines } from "../../terminal/plain-lines.js";
import { toExitCode } from "../tools/call.js";
import { hintLocal } from "./allow-local.js";
import type { DaemonAnswer } from "./daemon/message.js";
import { inCliWords } from "./in-cli-words.js";

const WRAPPED =
  /^<<<EXTERNAL_UNTRUSTED_CONTENT id="([0-9a-f]+)">>>[^\n]*\n([\s\S]*)\n<<<END_EXTERNAL_UNTRUSTED_CONTENT id="\1">>>$/;
/** Lines that the tool adds to the page's text: events, and why a tab waits. */
const TOOL_LINES = /^! .*$|\(waits for an answer to the \w+ d\d+: action dialog gives it\)$/gm;
const MAX_ERROR_CHARS = 4_000;

export interface Printing {
  /** The call used the parameters of the tool, so its hints stay as they are. */
  readonly isRaw?: boolean;
}

export function printAnswer(
  call: CommandCall,
  answer: DaemonAnswer,
  { isRaw = false }: Printing = {},
): number {
  const { output, switches } = call;
  const exitCode = answer.isError ? toExitCode(answer.details) : 0;
  const own = (text: string) => inOwnWords(isRaw ? text : inCliWords(text), call.ownCommand);
  if (switches.has("json")) output.print(JSON.stringify(answer.details ?? null, null, 2));
  else if (answer.isError) for (const line of listFailure(answer, own)) output.warn(line);
  else for (const text of listOutput(answer, own)) output.print(toPlainLines(output, text));
  if (answer.isError) hint(call, answer);
  return exitCode;
}

type InWords = (text: string) => string;

function listTexts({ content }: DaemonAnswer, own: InWords): string[] {
  return content.flatMap((block) => {
    if (block.type !== "text") return [];
    const [, , quoted] = WRAPPED.exec(block.text) ?? [];
    return [quoted?.replace(TOOL_LINES, own) ?? own(block.text)];
  });
}

function listOutput(answer: DaemonAnswer, own: InWords): string[] {
  const picture = readText(answer.details, "imagePath");
  return [...listTexts(answer, own), ...(picture === undefined ? [] : [`Picture: ${picture}`])];
}

/** An answer that quotes the page is printed in full; otherwise the error replaces its first block. */
function listFailure(answer: DaemonAnswer, own: InWords): string[] {
  const [first] = answer.content;
  const error = readText(answer.details, "error");
  const isQuoting = first?.type === "text" && WRAPPED.test(first.text);
  const texts =
    isQuoting || error === undefined
      ? listTexts(answer, own)
      : [own(error), ...listTexts({ ...answer, content: answer.content.slice(1) }, own)];
  return texts
    .flatMap((text) => text.split("\n"))
    .map((line) => toPrintable(line, MAX_ERROR_CHARS));
}

function hint(call: CommandCall, { details, isFromDaemon }: DaemonAnswer): void {
  hintLocal(call, { details, isFromDaemon });
  const profile = readText(details, "profile");
  const isUnknown = readText(details, "reason") === "browser_profile_unknown";
  if (isUnknown && profile !== undefined) {
    call.output.warn(toPrintable(toProfileHint(profile, call.ownCommand)));
  }
}

function toProfileHint(profile: string, ownCommand: string): string {
  const given = JSON.stringify({ action: "create-profile", profile });
  return `Here that is: ${ownCommand} browser call '${given}'`;
}
