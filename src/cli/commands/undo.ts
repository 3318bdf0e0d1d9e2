// `clawtools undo`: takes back what a call changed in files, or lists the calls that can be.

import type { UndoAction, UndoResult } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { type CommandCall, printJson, printLines } from "../command-call.js";
import { tellFailure } from "../tell-failure.js";
import { chooseCall } from "../undo/latest-call.js";
import { withToolkit } from "../with-toolkit.js";
import { formatColumns, wrapText } from "../wrap-text.js";
import { formatCalls, listCalls } from "./undo-list.js";

const ACTIONS = {
  restored: "has its old content again",
  removed: "was made by the call and is removed",
  recreated: "was removed by the call and is there again",
  moved_back: "is back under its old name",
  unchanged: "had its old content already",
} as const satisfies Record<UndoAction, string>;

export async function run(call: CommandCall): Promise<number> {
  return await tellFailure(call, () => runUndo(call));
}

async function runUndo(call: CommandCall): Promise<number> {
  const { output, switches, words, root, width } = call;
  return await withToolkit(call, async ({ toolkit }) => {
    toolkit.on("notice", ({ message }) => output.warn(toPrintable(message)));
    if (switches.has("list")) {
      const calls = await listCalls(toolkit);
      if (switches.has("json")) printJson(output, calls);
      else printLines(output, formatCalls(calls, { width, root }));
      return 0;
    }
    const id = words[0] ?? (await chooseCall(toolkit)).toolCallId;
    const force = switches.has("force");
    const result = await call.untilStopped((signal) => toolkit.undo(id, { force, signal }));
    if (switches.has("json")) printJson(output, result);
    else printLines(output, formatResult(result, call));
    for (const { message } of result.problems) output.warn(toPrintable(message));
    return 0;
  });
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
    "To have its changes back:",
    `  ${ownCommand} undo ${undoId}`,
  ];
}
