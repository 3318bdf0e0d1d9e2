// One worker per session: takes what waits in the inbox, runs it to its end and goes on until nothing
// waits. Whatever happens to one run, the next message is taken.

import { ToolError } from "../../core/index.js";
import { clearMail, isStale, isSubagentKey, readInbox } from "../../sessions/index.js";
import type { RunEnd } from "../run/run.js";
import { createLane } from "./lanes.js";
import { type ActiveRun, type LiveSession, type LiveSource, openLive } from "./live-session.js";
import { type RunSessionDeps, runOpen, takeNext } from "./run-session.js";
import { type QueueRules, startsRun } from "./take.js";

const MAX_IDLE_SESSIONS = 50;
const MAX_STALE = 5;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

interface Worker {
  readonly key: string;
  hasNews: boolean;
  isKnown: boolean;
  active: ActiveRun | undefined;
  live: LiveSession | undefined;
  working: Promise<void> | undefined;
  /** Times in a row that the session could not be worked on. */
  faults: number;
}

interface WorkersSource
  extends LiveSource,
    Omit<RunSessionDeps, "wake" | "hasNews" | "setActive" | "closing" | "sessions"> {
  readonly maxRuns: number;
  readonly maxSubagentRuns: number;
  readonly onProblem: (problem: { readonly sessionKey: string; readonly cause: unknown }) => void;
}

export type Workers = ReturnType<typeof createWorkers>;

export function createWorkers(source: WorkersSource) {
  const { store, runs, clock } = source;
  const workers = new Map<string, Worker>();
  const lanes = { main: createLane(source.maxRuns), subagent: createLane(source.maxSubagentRuns) };
  const closing = new AbortController();
  const retries = new Map<string, () => void>();

  function workerOf(key: string): Worker {
    const known = workers.get(key);
    if (known) return known;
    const made: Worker = {
      ...{ key, hasNews: false, isKnown: false, faults: 0 },
      ...{ active: undefined, live: undefined, working: undefined },
    };
    workers.set(key, made);
    return made;
  }

  function dropIdle() {
    for (const [key, worker] of workers) {
      if (workers.size <= MAX_IDLE_SESSIONS) return;
      if (worker.working === undefined) workers.delete(key);
    }
  }

  const depsOf = (worker: Worker): RunSessionDeps => ({
    ...{ ...source, wake, closing: closing.signal },
    hasNews() {
      const had = worker.hasNews;
      worker.hasNews = false;
      return had;
    },
    setActive(active) {
      worker.active = active;
    },
  });

  async function refresh(worker: Worker): Promise<LiveSession> {
    if (!worker.isKnown) await runs.recoverWaits(worker.key);
    worker.isKnown = true;
    worker.live = await openLive(worker.key, { ...source, known: worker.live });
    return worker.live;
  }

  /** Until nothing waits. */
  async function drain(worker: Worker): Promise<void> {
    const { key } = worker;
    const place = await (isSubagentKey(key) ? lanes.subagent : lanes.main).enter();
    try {
      while (!closing.signal.aborted) {
        const live = await refresh(worker);
        const deps = depsOf(worker);
        const isResumed = live.transcript.fold.openRun !== undefined;
        const { mode, debounceMs } = live.parts.queue;
        if (!isResumed && mode === "collect") await settleDown(worker, debounceMs);
        if (isResumed || (await takeNext(live, deps))) {
          await runOpen(live, deps, { place, isResumed });
          continue;
        }
        // What arrives from here on wakes the worker again.
        worker.hasNews = false;
        if (await settle(live)) return;
      }
    } finally {
      place.leave();
    }
  }

  /** False when something came. A temporary session goes with the mark that says to look at it. */
  async function settle({ key, found, transcript: { fold } }: LiveSession): Promise<boolean> {
    const { sessions } = source;
    const { isTemporary = false } = found.entry;
    const isDone = await clearMail(store, {
      sessionKey: key,
      isDone: async () => {
        const waiting = await readInbox(store, { sessionKey: key, through: fold.through });
        return fold.openRun === undefined && !startsRun(waiting);
      },
      also: isTemporary ? [sessions.entries.deleteOperation(key)] : [],
    });
    if (isDone && isTemporary) await sessions.dropRest(found, fold.through);
    return isDone;
  }

  /** `collect`: until no message has come for a moment. */
  async function settleDown(worker: Worker, delayMs: number): Promise<void> {
    do {
      worker.hasNews = false;
      await new Promise<void>((resolve) => clock.after(delayMs, resolve));
    } while (worker.hasNews && !closing.signal.aborted);
  }

  async function work(worker: Worker): Promise<void> {
    for (let stale = 0; ; ) {
      worker.hasNews = false;
      try {
        await drain(worker);
      } catch (error) {
        worker.live = undefined;
        // Replies that calls of the lost run waited for are announced.
        worker.isKnown = false;
        stale += 1;
        if (closing.signal.aborted) return;
        if (isStale(error) && stale < MAX_STALE) continue;
        source.onProblem({ sessionKey: worker.key, cause: error });
        retryLater(worker);
        return;
      }
      worker.faults = 0;
      retries.delete(worker.key);
      if (!worker.hasNews || closing.signal.aborted) return;
    }
  }

  /** What waits is in the store, so it is tried again until the session can be worked on. */
  function retryLater(worker: Worker): void {
    const delayMs = Math.min(FIRST_RETRY_MS * 2 ** worker.faults, MAX_RETRY_MS);
    worker.faults += 1;
    retries.get(worker.key)?.();
    retries.set(
      worker.key,
      clock.after(delayMs, () => wake(worker.key)),
    );
  }

  /** Something waits for this session, or its last run was left open. */
  function wake(key: string): void {
    if (closing.signal.aborted) return;
    const worker = workerOf(key);
    worker.hasNews = true;
    worker.working ??= work(worker).finally(() => {
      worker.working = undefined;
      if (worker.hasNews && !closing.signal.aborted && worker.live !== undefined) wake(key);
      else dropIdle();
    });
  }

  return {
    wake,
    active: (key: string) => workers.get(key)?.active,
    isBusy: (key: string) => workers.get(key)?.working !== undefined,
    /** Throws `queue_full` when new messages are dropped and enough of them wait here. */
    async assertRoom(sessionKey: string, { drop, cap }: QueueRules): Promise<void> {
      const { working, live } = workers.get(sessionKey) ?? {};
      if (drop !== "new" || working === undefined || live === undefined) return;
      const { through } = live.transcript.fold;
      const waiting = await readInbox(store, { sessionKey, through });
      if (waiting.filter(({ item }) => item.kind !== "system").length < cap) return;
      throw new ToolError(
        "limit",
        `${cap} messages already wait for "${sessionKey}". Send this one later, or raise messages.queue.cap.`,
        { reason: "queue_full" },
      );
    },
    /** Whether something ran. */
    stop(key: string, end: RunEnd): boolean {
      const active = workers.get(key)?.active;
      active?.stop(end);
      return active !== undefined;
    },
    /** Runs `task` on the session while no run does. */
    async between<T>(key: string, task: (live: LiveSession) => Promise<T>): Promise<T> {
      let worker = workerOf(key);
      while (worker.working) {
        await worker.working;
        worker = workerOf(key);
      }
      const using = refresh(worker).then(task);
      const ended = () => undefined;
      worker.working = using.then(ended, ended);
      try {
        return await using;
      } finally {
        worker.working = undefined;
        if (worker.hasNews) wake(key);
      }
    },
    /** The next use reads the session again. */
    forget(key: string): void {
      const worker = workers.get(key);
      if (worker) worker.live = undefined;
    },
    async close(): Promise<void> {
      closing.abort({ state: "interrupted", reason: "The agent was closed." } satisfies RunEnd);
      for (const cancel of retries.values()) cancel();
      await Promise.all([...workers.values()].map(({ working }) => working));
    },
  };
}
