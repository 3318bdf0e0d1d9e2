// The call that is meant when none is named: the latest that changed files here and still stands.

import { type ChangedCall, ToolError, type Toolkit } from "../../core/index.js";

/** Mostly it is among the first; more are looked at when it is not. */
const LOOKED_AT = [20, 1_000] as const;

/** Asked for again and again, it goes back call by call. */
export async function chooseCall(toolkit: Pick<Toolkit, "changes">): Promise<ChangedCall> {
  let isEmpty = true;
  for (const limit of LOOKED_AT) {
    const calls = await toolkit.changes(limit);
    const found = calls.find((one) => one.undoes === undefined && one.undoneBy === undefined);
    if (found) return found;
    isEmpty = calls.length === 0;
    if (calls.length < limit) break;
  }
  throw new ToolError(
    "not_found",
    isEmpty
      ? "No call has changed files here; there is nothing to undo or show."
      : "Every call that changed files here is undone; `clawtools undo --list` shows them.",
    { reason: "undo_unknown" },
  );
}
