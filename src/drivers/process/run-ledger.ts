// The runs that are not over, in the store: the next process knows what was interrupted.
import { setImmediate } from "node:timers/promises";
import { type Clock, isToolError, type ProcessEnd, type Store } from "../../core/index.js";
import { readNumber, readText } from "../../lib/read-field.js";
import { listMarked, signal } from "./launch/kill-ladder.js";
import { isAlive } from "./launch/process-table.js";
import { createRunOutput } from "./output/create-run-output.js";
import type { Session } from "./session/session.js";
import { nameCommand } from "./session/session-table.js";

const SPACE = "process.running";

export interface LedgerOwner {
  readonly own: string;
  isDead(mark: string, ageMs: number): boolean;
}

interface LedgerDeps {
  /** undefined when nothing is kept. */
  readonly store: () => Promise<Store | undefined>;
  readonly owner: LedgerOwner;
  readonly clock: Clock;
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
}

export type RunLedger = ReturnType<typeof createRunLedger>;

export function createRunLedger({ store, owner, clock, report }: LedgerDeps) {
  /** Session ids are unique per process only. */
  const keyOf = (sessionId: string) => `${owner.own}/${sessionId}`;
  const pending = new Map<string, Promise<void>>();
  const endings = new Set<Promise<void>>();

  async function remove(sessionId: string): Promise<void> {
    // Callers that wait for the end come first.
    await setImmediate();
    // Otherwise a late write would outlive its end.
    await pending.get(sessionId);
    try {
      await (await store())?.kv.delete({ space: SPACE, key: keyOf(sessionId) });
    } catch (cause) {
      report({ message: `The end of session "${sessionId}" could not be written.`, cause });
    }
  }

  async function put(row: Omit<LedgerRow, "owner">): Promise<void> {
    const opened = await store();
    const value = { ...row, owner: owner.own };
    await opened?.kv.put({ space: SPACE, key: keyOf(row.sessionId), value });
  }

  async function take(opened: Store): Promise<LedgerRow[]> {
    const taken: LedgerRow[] = [];
    let after: string | undefined;
    do {
      const page = await opened.kv.list({ space: SPACE, after });
      for (const { key, revision, value } of page.entries) {
        const row = parseLedgerRow(value);
        if (row === undefined || !owner.isDead(row.owner, clock.now() - row.startedAtMs)) continue;
        if (await removeOnce(opened, { key, revision })) taken.push(row);
      }
      after = page.next;
    } while (after !== undefined);
    return taken;
  }

  return {
    async write(row: Omit<LedgerRow, "owner">): Promise<void> {
      const writing = put(row);
      const settled = writing.then(ignore, ignore);
      pending.set(row.sessionId, settled);
      await writing.finally(() => {
        if (pending.get(row.sessionId) === settled) pending.delete(row.sessionId);
      });
    },
    /** Reports a failed write. Never rejected. */
    async note(written: Promise<void>, sessionId: string): Promise<void> {
      try {
        await written;
      } catch (cause) {
        report({
          message: `Session "${sessionId}" could not be noted in the state.`,
          cause,
        });
      }
    },
    /** Never rejected. */
    end(sessionId: string): Promise<void> {
      const ending: Promise<void> = remove(sessionId).finally(() => endings.delete(ending));
      endings.add(ending);
      return ending;
    },
    async settled() {
      await Promise.all(endings);
    },
    /** Rows of dead processes; each goes to one process only. */
    async takeInterrupted(): Promise<readonly LedgerRow[]> {
      const opened = await store();
      return opened === undefined ? [] : take(opened);
    },
  };
}

function ignore(): void {
  // The caller of `write` gets the failure.
}

async function removeOnce(
  store: Store,
  { key, revision }: { readonly key: string; readonly revision: number },
): Promise<boolean> {
  try {
    return await store.kv.delete({ space: SPACE, key, expectRevision: revision });
  } catch (error) {
    if (isToolError(error) && error.reason === "revision_mismatch") return false;
    throw error;
  }
}

export interface LedgerRow {
  readonly owner: string;
  readonly sessionId: string;
  readonly pid: number;
  /** Identifies the process together with the pid. */
  readonly startTicks: string;
  readonly mark: string;
  readonly containment: string;
  readonly command: string;
  readonly cwd: string;
  readonly agentId?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly startedAtMs: number;
  readonly logPath?: string | undefined;
  /** Its caller knows that it continues. */
  readonly isBackground: boolean;
}

const TEXTS = ["owner", "sessionId", "startTicks", "mark", "containment", "command", "cwd"];

function parseLedgerRow(value: unknown): LedgerRow | undefined {
  const isRow =
    TEXTS.every((name) => readText(value, name) !== undefined) &&
    readNumber(value, "pid") !== undefined &&
    readNumber(value, "startedAtMs") !== undefined;
  // Checked just now; the optional fields were written by `write`.
  return isRow ? (value as LedgerRow) : undefined;
}

const INTERRUPTED = "interrupted";

/** Without a namespace, processes of it may still run. */
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
    output: createRunOutput(undefined).output,
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
