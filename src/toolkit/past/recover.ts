// What is done at the first use of the state: calls of processes that died are told, and what their
// writes left beside the files goes.

import type { JournalRow } from "../../drivers/journal/index.js";
import { toPrintable } from "../../lib/printable.js";
import { findRecord } from "./list-interrupted.js";
import type { ToolkitState } from "./open-state.js";
import { isBridgeScope } from "./own-bridge.js";

const MAX_ID_CHARS = 80;

export interface Recovery {
  readonly state: ToolkitState;
  /** Of the toolkit that starts; for a folder its absolute path. */
  readonly scope: string;
  readonly canUndo: boolean;
  readonly notify: (message: string) => void;
}

/** Rejects when the store cannot be opened. */
export async function recover({ state, scope, canUndo, notify }: Recovery): Promise<void> {
  await state.folders.recover(async (noted) => {
    const { removeTemporaries } = await import("../../drivers/fs/index.js");
    await removeTemporaries(noted.root, [noted.folder]);
  });
  for (const row of await state.journal.recoverInterrupted()) {
    const isHere = row.root === undefined || row.root === scope;
    const step = isHere && canUndo ? await findStep(row, state) : undefined;
    notify(describe(row, { isHere, step: step ?? "Look at what it may have changed." }));
  }
}

/** What to do about it; `diff` and `undo` are called alike in a program and on the command line. */
async function findStep(row: JournalRow, { history }: ToolkitState): Promise<string | undefined> {
  const id = toPrintable(row.toolCallId, MAX_ID_CHARS);
  if (row.toolName === "undo") return `\`undo ${id}\` goes on where it ended.`;
  if ((await findRecord(row, history)) === undefined) return undefined;
  return `\`diff ${id}\` shows what it changed, \`undo ${id}\` takes it back.`;
}

function describe(
  { toolCallId, toolName, atMs, root }: JournalRow,
  { isHere, step }: { readonly isHere: boolean; readonly step: string },
): string {
  const id = toPrintable(toolCallId, MAX_ID_CHARS);
  const what = toolName === "undo" ? `The undo of call "${id}"` : `Call "${id}" of ${toolName}`;
  const where = isHere || root === undefined ? "" : describePlace(root);
  const when = new Date(atMs).toISOString();
  return `${what}${where}, begun ${when}, was interrupted when its process died; its outcome is unknown. ${step}`;
}

function describePlace(root: string): string {
  return isBridgeScope(root) ? " through a bridge" : ` in "${toPrintable(root)}"`;
}
