// Failures of a command in the words of the command line; with --json they are a document too.

import { isToolError, ToolError } from "../core/index.js";
import { toPrintable } from "../lib/printable.js";
import { type CommandCall, printJson } from "./command-call.js";
import { inOwnWords } from "./own-command/own-command.js";

/** Throws what `work` throws, so that it also ends the command. */
export async function tellFailure<T>(call: CommandCall, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isToolError(error)) throw error;
    const told = inWordsOfCommand(error, call);
    if (call.switches.has("json")) printJson(call.output, toDocument(told));
    throw told;
  }
}

function inWordsOfCommand(error: ToolError, { root, ownCommand }: CommandCall): ToolError {
  const { code, message, reason, details } = error;
  const where =
    reason === "undo_unknown"
      ? ` The root is "${toPrintable(root)}"; --root names another one.`
      : "";
  const words = inOwnWords(message, ownCommand).replace("{ force: true }", "--force");
  return new ToolError(code, `${words}${where}`, { reason, details, cause: error });
}

function toDocument({ code, reason, message, details }: ToolError): Record<string, unknown> {
  return { status: "error", code, reason, error: message, ...(details && { details }) };
}
