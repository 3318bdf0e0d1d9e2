// Which runs have begun and not ended, in the store: a row is there before a command may begin (or as
// it does, where it ends with this process in any case), so whatever happens to this process, the next
// one knows what was interrupted.
import { setImmediate } from "node:timers/promises";
import { type Clock, isToolError, type ProcessEnd, type Store } from "../../core/index.js";
import { readField, readNumber, readText } from "../../lib/read-field.js";
import { listMarked, signal } from "./launch/kill-ladder.js";
import { isAlive } from "./launch/process-table.js";
import type { Session } from "./session/session.js";
import { nameCommand } from "./session/session-table.js";

const SPACE = "process.running";

export interface LedgerOwner {
  /** The mark of this process. */
  readonly own: string;
  /** Whether the process with this mark is gone. */
  isDead(mark: string, ageMs: number): boolean;
}

interface LedgerDeps {
  /** Opened at the first row; undefined where nothing is kept. */
  readonly store: () => Promise<Store | undefined>;
  readonly owner: LedgerOwner;
  readonly clock: Clock;
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
}

export interface RunLedger {
  /** Fulfilled when it is written. Throws what the store throws. */
  write(row: Omit<LedgerRow, "owner">): Promise<void>;
  /** Waits for a write that no one depends on; a failure is reported. Never rejected. */
  note(written: Promise<void>, sessionId: string): Promise<void>;
  /** Never rejected: the run has ended, whether that can be written or not. */
  end(sessionId: string): Promise<void>;
  /** Fulfilled when every end was written. */
  settled(): Promise<void>;
  /** Rows of processes that are gone; each is given to one process only. */
  takeInterrupted(): Promise<readonly LedgerRow[]>;
}

export function createRunLedger({ store, owner, clock, report }: LedgerDeps): RunLedger {
  /** Names are chosen by each process for itself. */
  const keyOf = (sessionId: string) => `${owner.own}/${sessionId}`;
  const pending = new Map<string, Promise<void>>();
  const endings = new Set<Promise<void>>();

  async function remove(sessionId: string): Promise<void> {
    // Anyone who waits for the end of the run is answered first.
    await setImmediate();
    // A row that is just being written must not appear behind its end.
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
    async write(row) {
      const writing = put(row);
      const settled = writing.then(ignore, ignore);
      pending.set(row.sessionId, settled);
      await writing.finally(() => {
        if (pending.get(row.sessionId) === settled) pending.delete(row.sessionId);
      });
    },
    async note(written, sessionId) {
      try {
        await written;
      } catch (cause) {
        report({
          message: `Session "${sessionId}" could not be noted in the state.`,
          cause,
        });
      }
    },
    end(sessionId) {
      const ending = remove(sessionId).finally(() => endings.delete(ending));
      endings.add(ending);
      return ending;
    },
    async settled() {
      await Promise.all(endings);
    },
    async takeInterrupted() {
      const opened = await store();
      return opened === undefined ? [] : take(opened);
    },
  };
}

function ignore(): void {
  // Anyone who asked for the write gets its failure; others only wait for it.
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
  /** The mark of the process that started it. */
  readonly owner: string;
  readonly sessionId: string;
  readonly pid: number;
  /** With the pid it names one process for ever. */
  readonly startTicks: string;
  /** NAME=value in the environment of all its processes. */
  readonly mark: string;
  readonly containment: string;
  /** Bounded. */
  readonly command: string;
  readonly cwd: string;
  readonly agentId?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly startedAtMs: number;
  readonly logPath?: string | undefined;
  /** Anyone who asked for it was informed that it goes on. */
  readonly isBackground: boolean;
}

function parseLedgerRow(value: unknown): LedgerRow | undefined {
  const texts = readTexts(value);
  const pid = readNumber(value, "pid");
  const startedAtMs = readNumber(value, "startedAtMs");
  if (texts === undefined || pid === undefined || startedAtMs === undefined) return undefined;
  return {
    ...texts,
    pid,
    startedAtMs,
    agentId: readText(value, "agentId"),
    sessionKey: readText(value, "sessionKey"),
    logPath: readText(value, "logPath"),
    isBackground: readField(value, "isBackground") === true,
  };
}

const TEXTS = [
  "owner",
  "sessionId",
  "startTicks",
  "mark",
  "containment",
  "command",
  "cwd",
] as const;

function readTexts(value: unknown): Record<(typeof TEXTS)[number], string> | undefined {
  const [owner, sessionId, startTicks, mark, containment, command, cwd] = TEXTS.map((name) =>
    readText(value, name),
  );
  if (owner === undefined || sessionId === undefined || startTicks === undefined) return undefined;
  if (mark === undefined || containment === undefined) return undefined;
  if (command === undefined || cwd === undefined) return undefined;
  return { owner, sessionId, startTicks, mark, containment, command, cwd };
}

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
