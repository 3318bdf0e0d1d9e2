// An answer of the tool for a person: the text without the marks around it, which are for models; a
// failure on stderr.

import { toPrintable } from "../../lib/printable.js";
import { readText } from "../../lib/read-field.js";
import { type CommandCall, printJson } from "../command-call.js";
import { inOwnWords } from "../own-command/own-command.js";
import { toPlainLines } from "../plain-lines.js";
import { toExitCode } from "../tool-call/exit-code.js";
import type { HeldAnswer } from "./held/message.js";

const WRAPPED =
  /^<<<EXTERNAL_UNTRUSTED_CONTENT id="([0-9a-f]+)">>>\n[^\n]*\nSource: [^\n]*\n---\n([\s\S]*)\n<<<END_EXTERNAL_UNTRUSTED_CONTENT id="\1">>>$/;
const MAX_ERROR_CHARS = 4_000;
/** The hosts that the flag allows. */
const LOCAL = /\blocalhost\b|\b127\.0\.0\.1\b|::1\b/;
/** As the tool calls what is a flag here. */
const LARGER = /\b(larger) timeoutMs\b/;
const LOCAL_HINT = "For a page of this machine add --allow-local.";

/** The exit code. */
export function printAnswer(call: CommandCall, answer: HeldAnswer): number {
  const { output, switches } = call;
  const exitCode = answer.isError ? toExitCode(answer.details) : 0;
  if (switches.has("json")) {
    printJson(output, answer.details ?? null);
    return exitCode;
  }
  const error = readText(answer.details, "error");
  if (answer.isError && error !== undefined) {
    const told = inOwnWords(error, call.ownCommand).replace(LARGER, "$1 --timeout-ms");
    output.warn(toPrintable(told, MAX_ERROR_CHARS));
    const isLocal = readText(answer.details, "reason") === "address_refused" && LOCAL.test(error);
    if (isLocal && !switches.has("allow-local")) output.warn(LOCAL_HINT);
    const profile = readText(answer.details, "profile");
    const isUnknown = readText(answer.details, "reason") === "browser_profile_unknown";
    if (isUnknown && profile !== undefined) {
      output.warn(toPrintable(toProfileHint(profile, call.ownCommand)));
    }
    return exitCode;
  }
  for (const block of answer.content) {
    if (block.type === "text") output.print(toPlainLines(output, unwrap(block.text)));
  }
  return exitCode;
}

/** A name has no letters that a shell would read. */
function toProfileHint(profile: string, ownCommand: string): string {
  const given = JSON.stringify({ action: "create-profile", profile });
  return `Here that is: ${ownCommand} browser call '${given}'`;
}

function unwrap(text: string): string {
  return WRAPPED.exec(text)?.[2] ?? text;
}
