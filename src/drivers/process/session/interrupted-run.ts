// A run whose supervisor died: what is known of it, and that no one knows how it ended.

import type { Clock, ProcessEnd } from "../../../core/index.js";
import { listMarked, signal } from "../launch/kill-ladder.js";
import { isAlive } from "../launch/process-table.js";
import type { LedgerRow } from "../ledger/ledger-row.js";
import { nameCommand } from "./run-name.js";
import type { Session } from "./session.js";

const INTERRUPTED = "interrupted";
const NO_OUTPUT = {
  text: "",
  totalChars: 0,
  totalLines: 0,
  omittedChars: 0,
  omittedFromLine: undefined,
  lostBytes: 0,
};

/** Where nothing contained it, processes of it may still run: they are ended now. */
export function endLeftovers({ pid, startTicks, mark }: LedgerRow): void {
  if (isAlive({ pid, startTicks })) signal(-pid, "SIGKILL");
  for (const entry of listMarked(mark)) signal(entry.pid, "SIGKILL");
}

export function createInterruptedRun(row: LedgerRow, clock: Clock): Session {
  const end: ProcessEnd = {
    exitCode: undefined,
    exitSignal: undefined,
    reason: INTERRUPTED,
    endedAtMs: clock.now(),
  };
  return {
    sessionId: row.sessionId,
    pid: row.pid,
    command: row.command,
    name: nameCommand(row.command),
    cwd: row.cwd,
    startedAtMs: row.startedAtMs,
    containment: row.containment,
    host: row.containment === "bwrap" ? "sandbox" : "gateway",
    agentId: row.agentId,
    sessionKey: row.sessionKey,
    warnings: ["The program that ran it ended before it did; its outcome is unknown."],
    output: {
      view: () => NO_OUTPUT,
      tail: () => "",
      take: () => NO_OUTPUT,
      lines: async () => ({ lines: [], offset: 0, totalLines: 0, totalChars: 0, lostLines: 0 }),
    },
    end,
    ended: Promise.resolve(end),
    isTerminal: false,
    canWrite: false,
    lastOutputAtMs: undefined,
    applicationCursor: false,
    isBackground: true,
    isAcknowledged: false,
    write: async () => undefined,
    endInput: async () => undefined,
    kill: async () => end,
    onOutput: () => () => undefined,
    waitForChange: async () => undefined,
    toBackground: () => undefined,
    acknowledge: () => undefined,
    remove: async () => undefined,
    stopNow: () => undefined,
  };
}
