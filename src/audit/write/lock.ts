// One writer at a time, of all processes on a state folder.

import { ToolError } from "../../core/index.js";
import { type LockPorts, withLock } from "../../lib/system/rename-lock.js";

const MAX_WAIT_MS = 5_000;

export interface Lock {
  /** Throws `unavailable` / `audit_busy` when others keep it for five seconds. */
  within<Value>(work: () => Promise<Value>): Promise<Value>;
}

export function createLock(folder: string, ports: LockPorts): Lock {
  const options = { ...ports, folder, maxWaitMs: MAX_WAIT_MS, busy: () => busy(folder) };
  return { within: (work) => withLock(options, work) };
}

function busy(folder: string): ToolError {
  return new ToolError(
    "unavailable",
    `The audit is being written by others since ${MAX_WAIT_MS / 1_000} seconds; remove "${folder}" when there are none.`,
    { reason: "audit_busy" },
  );
}
