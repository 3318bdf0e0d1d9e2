// One process at a time changes the list.

import { ToolError } from "../../../core/index.js";
import { type LockPorts, withLock } from "../../../lib/system/rename-lock.js";

const MAX_WAIT_MS = 10_000;

/** Throws `unavailable` / `approvals_busy` when another process keeps it for ten seconds. */
export function withListLock<Value>(
  folder: string,
  { ports, work }: { readonly ports: LockPorts; readonly work: () => Promise<Value> },
): Promise<Value> {
  const { clock, random, owners } = ports;
  const busy = () => busyList(folder);
  return withLock({ clock, random, owners, folder, maxWaitMs: MAX_WAIT_MS, busy }, work);
}

function busyList(folder: string): ToolError {
  return new ToolError(
    "unavailable",
    `The approvals are being changed by another process since ${MAX_WAIT_MS / 1_000} seconds; end it, or remove "${folder}" when there is none.`,
    { reason: "approvals_busy" },
  );
}
