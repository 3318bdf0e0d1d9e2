// Waiting for the end of a run, whichever process works on it: this process says when it has ended one,
// and the store is polled for the runs of others.

import { abortError, type Clock } from "../../core/index.js";
import type { RunRow } from "../../core/server.js";
import { ENDED, type FoundRun, type Runs, toRunRow } from "./runs.js";

const LOOK_MS = 1_000;

export type RunWaits = ReturnType<typeof createRunWaits>;

interface WaitOptions {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Waiter {
  readonly look: () => void;
  readonly fail: (sessionKey: string, cause: unknown) => void;
}

export function createRunWaits({ runs, clock }: { readonly runs: Runs; readonly clock: Clock }) {
  const waiters = new Set<Waiter>();
  /** Readers see a commit before it is on the disk. */
  const ending = new Set<string>();
  const poke = () => {
    for (const { look } of [...waiters]) look();
  };

  return {
    /** Runs may have ended. */
    poke,
    /** `work` commits the end of these runs and reports it; their waiters are answered after that. */
    async whileEnding<Value>(runIds: readonly string[], work: () => Promise<Value>) {
      for (const runId of runIds) ending.add(runId);
      try {
        return await work();
      } finally {
        for (const runId of runIds) ending.delete(runId);
        poke();
      }
    },
    /** Rejects every wait for a run of this session with `cause`. */
    fail(sessionKey: string, cause: unknown): void {
      for (const { fail } of [...waiters]) fail(sessionKey, cause);
    },
    close: () => waiters.clear(),
    /** The row at the end, or as it is when the time is over. Rejects when the session cannot be worked on. */
    until(runId: string, { timeoutMs, signal }: WaitOptions = {}): Promise<RunRow> {
      return new Promise((resolve, reject) => {
        let known: FoundRun | undefined;
        let cancelLook: () => void = () => undefined;
        const settle = (finish: () => void) => {
          waiters.delete(waiter);
          cancelLook();
          cancelLimit();
          signal?.removeEventListener("abort", onAbort);
          finish();
        };
        const look = async () => {
          cancelLook();
          try {
            known = await runs.read(runId);
            if (!waiters.has(waiter)) return;
            if (ENDED.has(known.record.state) && !ending.has(runId)) {
              const row = toRunRow(known);
              return settle(() => resolve(row));
            }
            cancelLook = clock.after(LOOK_MS, () => void look());
          } catch (error) {
            settle(() => reject(error));
          }
        };
        const onAbort = () => settle(() => reject(abortError(signal)));
        const waiter: Waiter = {
          look: () => void look(),
          fail: (key, cause) => known?.record.sessionKey === key && settle(() => reject(cause)),
        };
        const giveUp = async () => {
          const row = known ?? (await runs.read(runId));
          settle(() => resolve(toRunRow(row)));
        };
        const cancelLimit =
          timeoutMs === undefined
            ? () => undefined
            : clock.after(timeoutMs, () => void giveUp().catch(reject));
        waiters.add(waiter);
        signal?.addEventListener("abort", onAbort, { once: true });
        if (signal?.aborted) return onAbort();
        void look();
      });
    },
  };
}
