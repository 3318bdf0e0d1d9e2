// `clawtools undo` and `clawtools diff`: the file changes of a call, undone, listed or shown.

import {
  isToolError,
  ToolError,
  type Toolkit,
  type UndoAction,
  type UndoResult,
} from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { type Command, type CommandCall, show } from "../../command.js";
import { JSON_FLAG } from "../../flags.js";
import { toPlainLines } from "../../terminal/plain-lines.js";
import type { Style } from "../../terminal/style.js";
import { formatColumns, wrapText } from "../../terminal/wrap-text.js";
import { withToolkit } from "../../with-toolkit.js";
import { formatCalls, listCalls } from "./list-calls.js";

const LATEST = "Without CALL: the latest call that changed files in this root and is not undone.";
const MAX_READ_CALLS = 1_000;

const ACTIONS = {
  restored: "has its old content again",
  removed: "was made by the call and is removed",
  recreated: "was removed by the call and is there again",
  moved_back: "is back under its old name",
  unchanged: "had its old content already",
} as const satisfies Record<UndoAction, string>;

export const undo: Command = {
  usage: "[CALL]",
  notes: [
    LATEST,
    "All files of the call are restored, or none. If one was changed since, nothing is done and the exit code is 6.",
  ],
  flags: {
    "--list": "List the calls that changed files here, newest first.",
    "--force": "Overwrite files that were changed since.",
    ...JSON_FLAG,
  },
  run: async (call) =>
    await withToolkit(call, async ({ toolkit }) => {
      const { output, switches } = call;
      toolkit.on("notice", ({ message }) => output.warn(toPrintable(message)));
      if (switches.has("list")) {
        const calls = await listCalls(toolkit);
        return show(call, calls, () => formatCalls(calls, call));
      }
      const force = switches.has("force");
      const result = await withCall(call, toolkit, (id) =>
        call.untilStopped((signal) => toolkit.undo(id, { force, signal })),
      );
      show(call, result, () => formatResult(result, call));
      for (const { message } of result.problems) output.warn(toPrintable(message));
      return 0;
    }),
};

export const diff: Command = {
  usage: "[CALL]",
  notes: [LATEST],
  flags: JSON_FLAG,
  run: async (call) =>
    await withToolkit(call, async ({ toolkit }) => {
      const { output } = call;
      const found = await withCall(call, toolkit, (id) =>
        call.untilStopped((signal) => toolkit.diff(id, { signal })),
      );
      return show(call, found, () =>
        toPlainLines(output, found.text.replace(/\n$/, ""))
          .split("\n")
          .map((line) => paint(line, output.style)),
      );
    }),
};

/** With the call that was named, else the latest. Errors name the root and --force as they do here. */
async function withCall<T>(
  { words, root }: CommandCall,
  toolkit: Toolkit,
  work: (id: string) => Promise<T>,
): Promise<T> {
  try {
    return await work(words[0] ?? (await findLatest(toolkit)));
  } catch (cause) {
    if (!isToolError(cause)) throw cause;
    const { code, reason, details } = cause;
    const where =
      reason === "undo_unknown"
        ? ` The root is "${toPrintable(root)}"; choose another one with --root.`
        : "";
    const text = cause.message.replace("{ force: true }", "--force");
    throw new ToolError(code, `${text}${where}`, { reason, details, cause });
  }
}

async function findLatest(toolkit: Toolkit): Promise<string> {
  const calls = await toolkit.changes(MAX_READ_CALLS);
  const found = calls.find((one) => one.undoes === undefined && one.undoneBy === undefined);
  if (found) return found.toolCallId;
  throw new ToolError(
    "not_found",
    calls.length === 0
      ? "No call has changed files here; there is nothing to undo or show."
      : "Every call that changed files here is undone; `clawtools undo --list` shows them.",
    { reason: "undo_unknown" },
  );
}

function formatResult(
  { toolCallId, undoId, files }: UndoResult,
  { width, ownCommand }: CommandCall,
): string[] {
  const rows = files.map(({ path, action, forced }): [string, string] => [
    toPrintable(path),
    `${ACTIONS[action]}${forced ? ", over what was changed since" : ""}`,
  ]);
  return [
    ...wrapText(`Call ${toPrintable(toolCallId)} is undone.`, width),
    ...formatColumns({ rows, width }),
    "To redo it:",
    `  ${ownCommand} undo ${undoId}`,
  ];
}

function paint(line: string, { bold, cyan, green, red }: Style): string {
  if (/^(?:---|\+\+\+|diff) /.test(line)) return bold(line);
  if (line.startsWith("@@")) return cyan(line);
  if (line.startsWith("+")) return green(line);
  return line.startsWith("-") ? red(line) : line;
}
