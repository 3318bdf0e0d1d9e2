// The call that is meant when none is named: the latest that changed files here and still stands.

import { type ChangedCall, ToolError, type Toolkit } from "../core/index.js";

const LOOKED_AT = 1_000;

/** Asked for again and again, it goes back call by call. */
export async function chooseCall(toolkit: Pick<Toolkit, "changes">): Promise<ChangedCall> {
  const calls = await toolkit.changes(LOOKED_AT);
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
