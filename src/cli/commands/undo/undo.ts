// `clawtools undo`: undoes the file changes of a call, or lists the calls.

import type { UndoAction, UndoResult } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { type Command, type CommandCall, show } from "../../command.js";
import { JSON_FLAG } from "../../flags.js";
import { formatColumns, wrapText } from "../../terminal/wrap-text.js";
import { withToolkit } from "../../with-toolkit.js";
import { chooseCall, namingRoot } from "./choose-call.js";
import { formatCalls, listCalls } from "./list-calls.js";

const ACTIONS = {
  restored: "has its old content again",
  removed: "was made by the call and is removed",
  recreated: "was removed by the call and is there again",
  moved_back: "is back under its old name",
  unchanged: "had its old content already",
} as const satisfies Record<UndoAction, string>;

export const command: Command = {
  usage: "[CALL]",
  notes: [
    "Without CALL: the latest call that changed files in this root and is not undone.",
    "All files of the call are restored, or none. If one was changed since, nothing is done and the exit code is 6.",
  ],
  flags: {
    "--list": "List the calls that changed files here, newest first.",
    "--force": "Overwrite files that were changed since.",
    ...JSON_FLAG,
  },
  run: async (call) =>
    await withToolkit(call, async ({ toolkit }) => {
      const { output, switches, words } = call;
      toolkit.on("notice", ({ message }) => output.warn(toPrintable(message)));
      if (switches.has("list")) {
        const calls = await listCalls(toolkit);
        return show(call, calls, () => formatCalls(calls, call));
      }
      const force = switches.has("force");
      const result = await namingRoot(call, async () => {
        const id = words[0] ?? (await chooseCall(toolkit)).toolCallId;
        return await call.untilStopped((signal) => toolkit.undo(id, { force, signal }));
      });
      show(call, result, () => formatResult(result, call));
      for (const { message } of result.problems) output.warn(toPrintable(message));
      return 0;
    }),
};

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
