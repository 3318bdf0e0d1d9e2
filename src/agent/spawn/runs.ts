// One durable row per run that someone may ask about: who asked, how it ended, and whether the reply is
// awaited, announced or taken. The end of a run, its reply and the announcement are one transaction.

import { type Clock, type Store, type StoreOperation, ToolError } from "../../core/index.js";
import type { RunRow, RunState } from "../../core/server.js";
import { type InboxItem, pushOperations, retryRace } from "../../sessions/index.js";
import type { Exchange } from "./exchange.js";

const RUNS = "runs";
const WAITS = "session.waits";
const CHILDREN = "session.children";
const KEEP_ENDED_MS = 7 * 24 * 60 * 60_000;
const MAX_REPLY_CHARS = 100_000;
const MAX_TASK_CHARS = 1_000;
const PAGE = 1_000;

export interface RunRecord extends Omit<RunRow, "requesterKey" | "runId"> {
  readonly requester?:
    | {
        readonly sessionKey: string;
        readonly toolCallId?: string | undefined;
        /** The session that asked, when it was deleted meanwhile. */
        readonly deletedKey?: string | undefined;
      }
    | undefined;
  /** `reply`: a call waits for it. `announce`: the end is pushed to the requester. */
  readonly notify: "none" | "reply" | "announce" | "taken";
  readonly deadlineMs?: number | undefined;
  readonly hops: number;
  readonly exchange?: Exchange | undefined;
  /** Of the message that started it. */
  readonly requestHash?: string | undefined;
}

export interface FoundRun {
  readonly runId: string;
  readonly record: RunRecord;
  readonly revision: number;
}

export interface RunOutcome
  extends Pick<RunRow, "error" | "delivery" | "inputTokens" | "outputTokens" | "usd"> {
  readonly state: Exclude<RunState, "queued" | "running">;
  readonly reply: string;
}

export const ENDED: ReadonlySet<RunState> = new Set([
  ...(["done", "failed", "timed_out", "cancelled", "interrupted", "limit"] as const),
]);

export type Runs = ReturnType<typeof createRuns>;

export function createRuns({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
  const place = (runId: string) => ({ space: RUNS, key: runId });
  const wait = (sessionKey: string, runId: string) => ({
    space: WAITS,
    key: `${sessionKey}/${runId}`,
  });
  const child = (sessionKey: string, runId: string) => ({
    space: CHILDREN,
    key: `${sessionKey}/${runId}`,
  });
  const put = ({ runId, revision }: FoundRun, record: RunRecord): StoreOperation => ({
    ...{ kind: "kv.put", ...place(runId), value: record, expectRevision: revision },
    ...(ENDED.has(record.state) ? { ttlMs: KEEP_ENDED_MS } : {}),
  });

  async function get(runId: string): Promise<FoundRun | undefined> {
    const found = await store.kv.get(place(runId));
    // Only this file writes the space.
    return found && { runId, record: found.value as RunRecord, revision: found.revision };
  }

  /** Throws `not_found`. */
  async function read(runId: string): Promise<FoundRun> {
    const found = await get(runId);
    if (found) return found;
    throw new ToolError("not_found", `No run has the id "${runId.slice(0, 80)}".`, {
      reason: "run_unknown",
    });
  }

  function announceOperations(run: FoundRun, record: RunRecord): StoreOperation[] {
    const { requester } = record;
    if (requester === undefined) return [];
    return pushOperations(requester.sessionKey, [toCompletion(run.runId, record, clock.now())]);
  }

  /** What becomes of the end of a run that a call waited for. */
  function stopWaiting(run: FoundRun, notify: RunRecord["notify"]): StoreOperation[] {
    const { requester } = run.record;
    const row = put(run, { ...run.record, notify });
    if (requester === undefined) return [row];
    return [row, { kind: "kv.delete", ...wait(requester.sessionKey, run.runId) }];
  }

  function settle(
    runId: string,
    decide: (found: FoundRun) => StoreOperation[] | FoundRun | undefined,
  ): Promise<FoundRun | undefined> {
    return retryRace(async () => {
      const decided = decide(await read(runId));
      if (!Array.isArray(decided)) return decided;
      await store.transact(decided);
      return undefined;
    });
  }

  async function listKeys(space: string, prefix: string): Promise<string[]> {
    const keys: string[] = [];
    let after: string | undefined;
    do {
      const page = await store.kv.list({ space, prefix, after, limit: PAGE });
      for (const { key } of page.entries) keys.push(key.slice(prefix.length));
      after = page.next;
    } while (after !== undefined);
    return keys;
  }

  return {
    get,
    read,
    createOperations(runId: string, record: RunRecord): StoreOperation[] {
      const { requester, notify, task } = record;
      const value = { ...record, task: task.slice(0, MAX_TASK_CHARS) };
      const row = { kind: "kv.put", ...place(runId), value, expectRevision: 0 } as const;
      if (requester === undefined) return [row];
      const own = { kind: "kv.put", ...child(requester.sessionKey, runId), value: true } as const;
      const waits = { kind: "kv.put", ...wait(requester.sessionKey, runId), value: true } as const;
      return [row, { ...own, ttlMs: KEEP_ENDED_MS }, ...(notify === "reply" ? [waits] : [])];
    },
    startOperations: (found: readonly FoundRun[]) =>
      found.map((run) => put(run, { ...run.record, state: "running" })),
    /** For `transact` with the `end` record; and the sessions to wake afterwards. */
    endOperations(found: readonly FoundRun[], outcome: RunOutcome) {
      const operations: StoreOperation[] = [];
      const wake: string[] = [];
      for (const run of found) {
        const reply = outcome.reply.slice(0, MAX_REPLY_CHARS);
        const record = { ...run.record, ...outcome, reply, endedAtMs: clock.now() };
        operations.push(put(run, record));
        if (record.notify !== "announce" || record.requester === undefined) continue;
        operations.push(...announceOperations(run, record));
        wake.push(record.requester.sessionKey);
      }
      return { operations, wake };
    },
    /** With the result record of the waiting call. */
    takeOperations: (run: FoundRun) => stopWaiting(run, "taken"),
    /** A call stops waiting: the end will be announced. The run when it has ended and can be taken. */
    announceLater: (runId: string) =>
      settle(runId, (run) => {
        // Another process has taken up the session of the caller, and announces the end.
        if (run.record.notify !== "reply") return undefined;
        return ENDED.has(run.record.state) ? run : stopWaiting(run, "announce");
      }),
    /** Its end is announced to no one. */
    async mute(runId: string): Promise<void> {
      await settle(runId, (run) =>
        ENDED.has(run.record.state) ? undefined : [put(run, { ...run.record, notify: "none" })],
      );
    },
    /** Waits of a process that is gone, or that lost the session to this one: announced now or later. */
    async recoverWaits(sessionKey: string): Promise<void> {
      for (const runId of await listKeys(WAITS, `${sessionKey}/`)) {
        // Rows of ended runs expire.
        if ((await get(runId)) === undefined) await store.kv.delete(wait(sessionKey, runId));
        else
          await settle(runId, (run): StoreOperation[] | undefined => {
            if (run.record.notify !== "reply") return undefined;
            if (!ENDED.has(run.record.state)) return stopWaiting(run, "announce");
            return [...stopWaiting(run, "taken"), ...announceOperations(run, run.record)];
          });
      }
    },
    /** Sessions with calls that wait for a reply. */
    async waitingSessions(): Promise<ReadonlySet<string>> {
      const keys = await listKeys(WAITS, "");
      return new Set(keys.map((key) => key.slice(0, key.lastIndexOf("/"))));
    },
    /** Runs that a session has asked for, newest first. */
    async childrenOf(sessionKey: string): Promise<readonly FoundRun[]> {
      const found = await Promise.all((await listKeys(CHILDREN, `${sessionKey}/`)).map(get));
      const known = found.flatMap((run) => (run === undefined ? [] : [run]));
      return known.sort((left, right) => right.record.createdAtMs - left.record.createdAtMs);
    },
  };
}

export function toRunRow({ runId, record }: FoundRun): RunRow {
  const {
    requester,
    notify: _notify,
    deadlineMs: _deadline,
    hops: _hops,
    exchange: _exchange,
    requestHash: _request,
    ...row
  } = record;
  return { ...row, runId, requesterKey: requester?.sessionKey };
}

const STATE_WORDS = {
  queued: "is queued",
  running: "is running",
  done: "completed",
  failed: "failed",
  timed_out: "timed out",
  cancelled: "was cancelled",
  interrupted: "was interrupted",
  limit: "reached a limit",
} as const satisfies Record<RunState, string>;

function toCompletion(runId: string, record: RunRecord, atMs: number): InboxItem {
  const { kind, sessionKey, label, task, state, reply, error, hops, requester } = record;
  const what =
    kind === "spawn"
      ? `Sub-agent ${JSON.stringify(label ?? task.slice(0, 80))}`
      : `Message to ${sessionKey}`;
  const lines = [
    `[${what} ${STATE_WORDS[state]}. Run ${runId}, session ${sessionKey}]`,
    ...(requester?.deletedKey
      ? [`Session ${requester.deletedKey}, which asked for it, was deleted.`]
      : []),
    ...(error ? [`Error: ${error}`] : []),
    reply || "(no output)",
  ];
  const content = [{ type: "text" as const, text: lines.join("\n") }];
  return { kind: "completion", content, from: sessionKey, hops, atMs };
}
