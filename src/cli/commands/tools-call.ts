// `clawtools tools call`: one call through the one door, and what it answered.

import { type ContentBlock, ERROR_CODES } from "../../core/index.js";
import { type CommandCall, type Output, printJson } from "../command-call.js";
import { UsageError } from "../failure.js";
import { readInput } from "../read-input.js";
import { withToolkit } from "../with-toolkit.js";

const CALL_ID = "cli";
const FROM_STDIN = "-";
/** Every control character but tab and line feed. */
const CONTROL = /[^\P{Cc}\t\n]/gu;
const MAX_INPUT_BYTES = 64 * 1024 * 1024;

export async function run(call: CommandCall): Promise<number> {
  const { output, switches, words } = call;
  const [name = ""] = words;
  const given = await readArguments(call);
  return await withToolkit(call, async ({ toolkit }) => {
    const answer = await call.untilStopped((signal) =>
      toolkit.invoke({ id: CALL_ID, name, arguments: given, signal }),
    );
    if (switches.has("details")) printJson(output, answer.details ?? null);
    else for (const block of answer.content) output.print(showFor(output, showBlock(block)));
    return answer.isError ? toExitCode(answer.details) : 0;
  });
}

async function readArguments(call: CommandCall): Promise<Record<string, unknown>> {
  const { json } = call.texts;
  if (json === undefined) return {};
  const text = json === FROM_STDIN ? await readInput(call.input, MAX_INPUT_BYTES) : json;
  const value = parseJson(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value));
  }
  throw new UsageError(`--json must be an object, such as '{"path": "README.md"}'.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(
      `--json is no JSON (${why}); write it in single quotes, such as '{"path": "README.md"}'.`,
    );
  }
}

/** The end of the text is the end of a line, whether or not the tool ended it so. */
function showBlock(block: ContentBlock): string {
  if (block.type === "text") return block.text.replace(/\n$/, "");
  return `[image ${block.mimeType}, ${block.data.length} base64 characters]`;
}

/** A file may hold what moves the cursor or rings; a program that reads gets every byte. */
function showFor({ isTerminal }: Output, text: string): string {
  return isTerminal ? text.replace(CONTROL, toEscape) : text;
}

function toEscape(sign: string): string {
  return `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

/** A tool may also fail on its own account, without a code of ours. */
function toExitCode(details: unknown): number {
  const code: unknown =
    typeof details === "object" && details !== null ? Reflect.get(details, "code") : undefined;
  const known = Object.entries(ERROR_CODES).find(([name]) => name === code);
  return known?.[1].exit ?? ERROR_CODES.failed.exit;
}
