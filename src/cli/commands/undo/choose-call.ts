// The default call: the latest one that changed files here and is not undone.

import { type ChangedCall, isToolError, ToolError, type Toolkit } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import type { CommandCall } from "../../command.js";

const MAX_READ_CALLS = 1_000;

export async function chooseCall(toolkit: Pick<Toolkit, "changes">): Promise<ChangedCall> {
  const calls = await toolkit.changes(MAX_READ_CALLS);
  const found = calls.find((one) => one.undoes === undefined && one.undoneBy === undefined);
  if (found) return found;
  throw new ToolError(
    "not_found",
    calls.length === 0
      ? "No call has changed files here; there is nothing to undo or show."
      : "Every call that changed files here is undone; `clawtools undo --list` shows them.",
    { reason: "undo_unknown" },
  );
}

/** Adds the root to an unknown call, and names --force as the command line does. */
export async function namingRoot<T>({ root }: CommandCall, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
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
