// What is done at the first use of the state: calls of processes that died are told, and what their
// writes left beside the files goes.

import type { JournalRow } from "../../drivers/journal/index.js";
import { toPrintable } from "../../lib/printable.js";
import type { ToolkitState } from "./open-state.js";

const MAX_ID_CHARS = 80;

export interface Recovery {
  readonly state: ToolkitState;
  /** Absolute. */
  readonly root: string;
  readonly notify: (message: string) => void;
}

/** Rejects when the store cannot be opened. */
export async function recover({ state, root, notify }: Recovery): Promise<void> {
  await state.folders.recover(async (noted) => {
    const { removeTemporaries } = await import("../../drivers/fs/index.js");
    await removeTemporaries(noted.root, [noted.folder]);
  });
  for (const row of await state.journal.recoverInterrupted()) notify(describe(row, root));
}

function describe({ toolCallId, toolName, atMs, root: folder }: JournalRow, root: string): string {
  const id = toPrintable(toolCallId, MAX_ID_CHARS);
  const what = toolName === "undo" ? `The undo of call "${id}"` : `Call "${id}" of ${toolName}`;
  const where = folder === undefined || folder === root ? "" : ` in "${toPrintable(folder)}"`;
  const when = new Date(atMs).toISOString();
  return `${what}${where}, begun ${when}, was interrupted when its process died; its outcome is unknown. Look at what it may have changed.`;
}
