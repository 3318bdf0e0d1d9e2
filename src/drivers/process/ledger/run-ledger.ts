// Which runs have begun and not ended, in the store: a row is there before a command may begin (or as
// it does, where it ends with this process in any case), so whatever happens to this process, the next
// one knows what was interrupted.

import { setImmediate } from "node:timers/promises";
import { type Clock, isToolError, type Store } from "../../../core/index.js";
import { type LedgerRow, parseLedgerRow } from "./ledger-row.js";

const SPACE = "process.running";

export interface LedgerOwner {
  /** The mark of this process. */
  readonly own: string;
  /** Whether the process with this mark is gone. */
  isDead(mark: string, ageMs: number): boolean;
}

export interface LedgerDeps {
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
