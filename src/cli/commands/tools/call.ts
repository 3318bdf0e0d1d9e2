// `clawtools tools call`: one call, and its result.

import { randomBytes } from "node:crypto";
import {
  type ContentBlock,
  ERROR_CODES,
  foldName,
  type Toolkit,
  type ToolUpdate,
} from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { readField } from "../../../lib/read-field.js";
import type { ToolkitOptions } from "../../../toolkit/index.js";
import type { Command, CommandCall } from "../../command.js";
import { UsageError } from "../../failure.js";
import { ALLOW_LOCAL_FLAG, AUDIENCE_FLAGS, parseJson } from "../../flags.js";
import { inOwnWords, toOwnCommand } from "../../own-command.js";
import { readInput } from "../../read-input.js";
import { toPlainLines } from "../../terminal/plain-lines.js";
import { type ToolkitUse, withAdaptedToolkit } from "../../with-toolkit.js";
import { allowLocal, hintLocal } from "../browser/allow-local.js";

const EXEC: readonly string[] = ["exec", "bash"];
const BACKGROUND: readonly string[] = ["background", "run_in_background"];
const ID_BYTES = 4;
const BROWSER = "browser";
const FROM_STDIN = "-";
const SAMPLE = `'{"path": "README.md"}'`;
const MAX_INPUT_BYTES = 64 * 1024 * 1024;

const { "--json": _json, ...WHO } = AUDIENCE_FLAGS;

export const command: Command = {
  usage: "TOOL",
  notes: [
    "The call passes the same policy and checks as a call of a model.",
    "`exec` waits until the command ends, because it would end with this program.",
    "A failed call ends with the exit code of its error.",
  ],
  flags: {
    "--json ARGUMENTS": "Arguments as a JSON object; `-` reads them from stdin (default {}).",
    "--details": "Print the details for programs as JSON instead.",
    ...ALLOW_LOCAL_FLAG,
    ...WHO,
  },
  sample: `clawtools tools call read --json ${SAMPLE}`,
  run,
};

async function run(call: CommandCall): Promise<number> {
  const { output, switches, words } = call;
  const [name = ""] = words;
  const given = await readArguments(call);
  const isExec = EXEC.includes(foldName(name));
  if (isExec) assertForeground(given);
  const work = async ({ toolkit }: ToolkitUse) => {
    const id = `cli_${randomBytes(ID_BYTES).toString("hex")}`;
    const { show: onUpdate, clear } = createProgress(call);
    toolkit.on("notice", ({ message }) => {
      clear();
      output.warn(toPrintable(message));
    });
    const request = { id, name, arguments: given, onUpdate, entryPoint: "cli" } as const;
    const answer = await call
      .untilStopped((signal) => toolkit.invoke({ ...request, signal }))
      .finally(clear);
    const printed = answer.isError ? inOwnCommands(answer, call.ownCommand) : answer;
    if (switches.has("details")) output.print(JSON.stringify(printed.details ?? null, null, 2));
    else for (const block of printed.content) output.print(toPlainLines(output, showBlock(block)));
    if (saysChanged(answer.details) && (await isRecorded(toolkit, id))) {
      output.warn("To undo:", `${call.ownCommand} undo ${id}`);
    }
    if (!answer.isError) return 0;
    if (name === BROWSER) hintLocal(call, { details: answer.details });
    return toExitCode(answer.details);
  };
  return await withAdaptedToolkit(call, {
    adapt: (options) => allowLocal(call, isExec ? withoutProcess(options) : options),
    work,
  });
}

async function readArguments(call: CommandCall): Promise<Record<string, unknown>> {
  const { json } = call.texts;
  if (json === undefined) return {};
  const text = json === FROM_STDIN ? await readInput(call.input, MAX_INPUT_BYTES) : json;
  const value = parseJson("--json", text, SAMPLE);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value));
  }
  throw new UsageError(`--json must be an object, such as ${SAMPLE}.`);
}

/** The last line end of the text is added by `print`. */
function showBlock(block: ContentBlock): string {
  if (block.type === "text") return block.text.replace(/\n$/, "");
  return `[image ${block.mimeType}, ${block.data.length} base64 characters]`;
}

/** Only file tools report changes. */
function saysChanged(details: unknown): boolean {
  return readField(details, "changed") === true || readField(details, "summary") !== undefined;
}

async function isRecorded(toolkit: Toolkit, id: string): Promise<boolean> {
  try {
    return (await toolkit.changes(1)).some(({ toolCallId }) => toolCallId === id);
  } catch {
    // A notice has already said that it cannot be undone.
    return false;
  }
}

interface Printed {
  readonly content: readonly ContentBlock[];
  readonly details?: unknown;
}

/** The text of an error is JSON; `allow` in its details lists commands. */
function inOwnCommands({ content, details }: Printed, ownCommand: string): Printed {
  const inJson = JSON.stringify(ownCommand).slice(1, -1);
  const allow = readField(details, "allow");
  return {
    content: content.map((block) =>
      block.type === "text" ? { ...block, text: inOwnWords(block.text, inJson) } : block,
    ),
    details: Array.isArray(allow)
      ? { ...Object(details), allow: allow.map((line) => toOwnCommand(String(line), ownCommand)) }
      : details,
  };
}

function createProgress({ output, width }: CommandCall) {
  let isShown = false;
  return {
    show({ content, details }: ToolUpdate) {
      const [block] = content ?? [];
      // The approver shows its own question.
      if (readField(details, "status") !== "running" || block?.type !== "text") return;
      const line = block.text.trimEnd().split("\n").at(-1) ?? "";
      isShown = true;
      output.progress(toPrintable(line, width - 2));
    },
    clear() {
      if (isShown) output.progress("");
      isShown = false;
    },
  };
}

function assertForeground(given: Readonly<Record<string, unknown>>): void {
  const asked = BACKGROUND.find((name) => String(given[name]) === "true");
  if (asked === undefined) return;
  throw new UsageError(
    `${asked} cannot be used here: the command would end with \`clawtools\`. Leave it out to wait for the command.`,
  );
}

function withoutProcess(options: ToolkitOptions): ToolkitOptions {
  const { tools = {} } = options.config ?? {};
  return {
    ...options,
    config: { ...options.config, tools: { ...tools, deny: [...(tools.deny ?? []), "process"] } },
  };
}

/** A tool may also fail without a code of ours. */
export function toExitCode(details: unknown): number {
  const code = readField(details, "code");
  const known = Object.entries(ERROR_CODES).find(([name]) => name === code);
  return known?.[1].exit ?? ERROR_CODES.failed.exit;
}
