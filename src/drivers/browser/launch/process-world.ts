// Processes of this machine: which one is meant, whether it lives, and its end. A pid alone is never
// enough to end one: it may have been given to another.

import { readFileSync } from "node:fs";
import { errnoOf } from "../../../lib/errno.js";
import {
  isPidGone,
  isProcessGone,
  type ProcessWorld,
  readOwnProcess,
  readProcessStart,
} from "../../../lib/process/process-life.js";
import { parseProcessStat } from "../../../lib/process/process-stat.js";

export interface MarkedProcess {
  readonly pid: number;
  /** When it began; absent where the system does not say. */
  readonly start?: string | undefined;
}

export function markOwnProcess(): MarkedProcess {
  const { pid, start } = readOwnProcess(world());
  return { pid, start };
}

export function markProcess(pid: number): MarkedProcess {
  const start = readProcessStart(pid, world());
  return { pid, start };
}

/** Rather alive when it cannot be known. */
export function isAlive({ pid, start }: MarkedProcess): boolean {
  const system = world();
  // Starts that were not read from /proc are not comparable.
  if (start === undefined || readProcessStart(process.pid, system) === undefined) {
    return !isPidGone(pid, system);
  }
  return !isProcessGone({ pid, start }, system);
}

/** Only the very one that was marked; without its start no one is ended. */
export function killProcess(marked: MarkedProcess): void {
  if (marked.start !== undefined && isAlive(marked)) kill(marked.pid);
}

/**
 * The group that the marked process leads, also when it has ended itself: while one of them lives, no
 * other process can have its number.
 */
export function killGroup(marked: MarkedProcess): void {
  const now = readProcessStart(marked.pid, world());
  if (marked.start === undefined || (now !== undefined && now !== marked.start)) return;
  if (now !== undefined && readGroup(marked.pid) !== marked.pid) return;
  kill(-marked.pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (errnoOf(error) !== "ESRCH" && errnoOf(error) !== "EPERM") throw error;
  }
}

function readGroup(pid: number): number | undefined {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, "latin1")).groupId;
  } catch {
    // Gone, or a system that does not say.
    return undefined;
  }
}

function world(): ProcessWorld {
  return {
    pid: process.pid,
    startedMs: performance.timeOrigin,
    readText: (path) => readFileSync(path, "utf8"),
    probe: (pid) => void process.kill(pid, 0),
  };
}
