// The scheduler: claims each slot once, hands it over, and writes down how it ended. A slot is claimed
// and the next one computed in one transaction, so a kill loses or repeats none.

import {
  type Clock,
  type RandomSource,
  type Store,
  type StoreOperation,
  ToolError,
} from "../../core/index.js";
import { pause } from "../../lib/system/pause.js";
import { toUuid } from "../../lib/uuid.js";
import { type Job, parseJob, patchJob } from "./job.js";
import { type JobEntry, loadJobs } from "./jobs.js";
import {
  type CronLogEntry,
  type CronOutcome,
  type CronRun,
  endRecord,
  firstState,
  listBackoffSkips,
  runStream,
  settle,
  skipRecord,
  withNext,
} from "./run-records.js";
import { decideDue } from "./schedule.js";

const RUNNING = "cron:running";
/** The wall clock may be set, and the machine may sleep: look at it at least this often. */
const MAX_TIMER_MS = 60_000;
const MAX_JOBS = 10_000;
const MAX_RUNS_KEPT = 2_000;
const PAGE = 1_000;
const MAX_ATTEMPTS = 5;
/** After the store failed, for example because the disk is full. */
const RETRY_MS = 5_000;

/** What a job does. The scheduler only decides when. */
export interface CronDispatch {
  /** Written in the transaction that claims the slot, so that both happen or neither does. */
  prepare(job: Job, run: CronRun): Promise<readonly StoreOperation[]>;
  /** The claim is committed. Also called after a restart for runs that had not ended. */
  outcome(job: Job, run: CronRun, signal: AbortSignal): Promise<CronOutcome>;
}

export interface CronOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly dispatch: CronDispatch;
  /** `cron.enabled`: false keeps the jobs and runs none. */
  isEnabled(): boolean;
  emit(event: { readonly jobId: string; readonly action: string } & Record<string, unknown>): void;
  /** Failures of the store. */
  report(message: string): void;
}

export type Cron = Awaited<ReturnType<typeof createCron>>;

/** Loads the jobs, goes on with runs that had not ended, and starts the timer. */
export async function createCron(options: CronOptions) {
  const { store, clock, random, dispatch, emit, report } = options;
  const jobs = await loadJobs(store);
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  let cancelTimer: (() => void) | undefined;

  function schedule(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    if (closing.signal.aborted) return;
    const next = options.isEnabled() ? jobs.nextMs() : undefined;
    const waitMs = next === undefined ? MAX_TIMER_MS : next - clock.now();
    cancelTimer = clock.after(Math.min(Math.max(waitMs, 0), MAX_TIMER_MS), () => {
      if (!options.isEnabled()) return schedule();
      for (const { job } of jobs.takeDue(clock.now())) track(insist(() => fire(job.id)));
      schedule();
    });
  }

  /** Tries again until the store takes it: a slot or the end of a run must not be dropped. */
  async function insist(work: () => Promise<unknown>): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await work();
        return;
      } catch (error) {
        report(`cron: ${messageOf(error)}`);
        await pause(clock, { delayMs: RETRY_MS, signal: closing.signal });
      }
    }
  }

  function track(work: Promise<unknown>): void {
    const watched = work.catch((error) => report(`cron: ${messageOf(error)}`));
    underWay.add(watched);
    watched.finally(() => underWay.delete(watched));
  }

  /** The slot of this job is due. After a conflict its entry is read again and fires again. */
  async function fire(id: string): Promise<void> {
    const nowMs = clock.now();
    const { job, revision } = jobs.get(id) ?? {};
    const slotMs = job?.state.nextRunAtMs;
    if (!job?.enabled || revision === undefined || slotMs === undefined || slotMs > nowMs) return;
    const { missed = "once", maxLatenessMs } = job;
    const due = decideDue({ schedule: job.schedule, missed, maxLatenessMs, slotMs, nowMs });
    const isBusy = job.state.runningAtMs !== undefined;
    // The end of the run fires the job again, so that missed slots run one after the other.
    if (isBusy && missed === "all" && due.run !== undefined) return;
    const isSkipped = due.run === undefined || isBusy;
    const missedCount = due.skipped + (due.run !== undefined && isBusy ? 1 : 0);
    const why = isBusy ? "the previous run has not ended" : "their time had passed";
    const skips = missedCount > 0 ? [skipRecord(job, { missed: missedCount, why, nowMs })] : [];
    const state = withNext(job.state, due.next);
    if (isSkipped) {
      const isOver = due.next === undefined && !isBusy;
      const last = isBusy ? {} : ({ lastStatus: "skipped", lastError: why } as const);
      const kept = { ...job, enabled: job.enabled && !isOver, state: { ...state, ...last } };
      await jobs.commit({ job: kept, revision }, skips);
    } else {
      const runId = `${job.id}:${due.run}`;
      const run = { runId, jobId: job.id, slotMs: due.run ?? slotMs, startedAtMs: nowMs };
      await claim(
        { job: { ...job, state: { ...state, runningAtMs: nowMs } }, revision },
        run,
        skips,
      );
    }
    schedule();
  }

  async function claim(entry: JobEntry, run: CronRun, more: readonly StoreOperation[]) {
    const place = { space: RUNNING, key: run.runId };
    let failure: CronOutcome | undefined;
    const prepared = await dispatch.prepare(entry.job, run).catch((error) => {
      failure = { status: "error", error: messageOf(error) };
      return [];
    });
    const begun = { kind: "kv.put", ...place, value: run, expectRevision: 0 } as const;
    if (!(await jobs.commit(entry, [begun, ...more, ...prepared]))) return false;
    emit({ jobId: run.jobId, action: "started", runId: run.runId, runAtMs: run.slotMs });
    track(follow(run, failure));
    return true;
  }

  /** Waits for the end of a run and writes it down. */
  async function follow(run: CronRun, failure?: CronOutcome): Promise<void> {
    const { job } = jobs.find(run.jobId);
    const outcome =
      failure ??
      (await dispatch
        .outcome(job, run, closing.signal)
        .catch((error): CronOutcome => ({ status: "error", error: messageOf(error) })));
    // A gateway that stops leaves the run to its next start.
    await insist(async () => {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        if (await finish(run, outcome)) return;
      }
      throw new ToolError("conflict", `could not write the end of run ${run.runId}`);
    });
  }

  async function finish(run: CronRun, outcome: CronOutcome): Promise<boolean> {
    const entry = jobs.get(run.jobId);
    const nowMs = clock.now();
    const ends = [
      { kind: "kv.delete", space: RUNNING, key: run.runId } as const,
      ...(outcome.operations ?? []),
    ];
    if (entry === undefined) {
      // Removed while it ran: only the end is left to write.
      await store.transact(ends);
      return true;
    }
    const { revision } = entry;
    const job = settle(entry.job, { run, outcome, nowMs });
    const all = [
      ...ends,
      endRecord(job, { run, outcome, nowMs }),
      ...listBackoffSkips(entry.job, job, nowMs),
    ];
    const goes = !job.enabled && job.deleteAfterRun === true && outcome.status === "ok";
    const commit = goes ? jobs.commitRemoval : jobs.commit;
    if (!(await commit({ job, revision }, all))) return false;
    const { status, error } = outcome;
    const { nextRunAtMs } = job.state;
    emit({ jobId: job.id, action: "finished", runId: run.runId, status, error, nextRunAtMs });
    track(store.log.trim({ stream: runStream(job.id), keepLast: MAX_RUNS_KEPT }));
    schedule();
    return true;
  }

  for (let after: string | undefined; ; ) {
    const open = await store.kv.list({ space: RUNNING, after, limit: PAGE });
    for (const { value } of open.entries) {
      // Written by `claim` alone.
      const run = value as CronRun;
      if (jobs.get(run.jobId)) track(follow(run));
      else track(store.kv.delete({ space: RUNNING, key: run.runId }));
    }
    after = open.next;
    if (after === undefined) break;
  }
  schedule();

  return {
    list: jobs.all,
    get: (id: string): Job => jobs.find(id).job,
    status: () => ({
      enabled: options.isEnabled(),
      jobs: jobs.count(),
      nextWakeAtMs: options.isEnabled() ? jobs.nextMs() : undefined,
    }),
    async add(given: unknown): Promise<Job> {
      if (jobs.count() >= MAX_JOBS) {
        throw new ToolError("limit", `There are ${MAX_JOBS} cron jobs already. Remove some first.`);
      }
      const nowMs = clock.now();
      const draft = parseJob(given, nowMs);
      const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
      const job = {
        id: toUuid(random.hex(16)),
        ...draft,
        ...times,
        state: firstState(draft, nowMs),
      };
      await jobs.add(job);
      emit({ jobId: job.id, action: "added", job });
      schedule();
      return job;
    },
    async update(id: string, patch: unknown): Promise<Job> {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const entry = jobs.find(id);
        const changed = change(entry.job, patch, clock.now());
        if (!(await jobs.commit({ job: changed, revision: entry.revision }, []))) continue;
        emit({ jobId: id, action: "updated", job: changed });
        schedule();
        return changed;
      }
      throw new ToolError("conflict", `Job "${id}" keeps changing. Read it again and retry.`);
    },
    async remove(id: string): Promise<boolean> {
      const isRemoved = await jobs.remove(id);
      if (isRemoved) emit({ jobId: id, action: "removed" });
      return isRemoved;
    },
    /** `due`: only when its slot has come. The schedule is not changed. */
    async run(id: string, mode: "force" | "due"): Promise<{ readonly runId?: string }> {
      const { job, revision } = jobs.find(id);
      const nowMs = clock.now();
      const isDue = job.enabled && (job.state.nextRunAtMs ?? Number.POSITIVE_INFINITY) <= nowMs;
      if (mode === "due" && !isDue) return {};
      if (job.state.runningAtMs !== undefined) {
        throw new ToolError("conflict", `Job "${job.name}" is running; wait for it to end.`, {
          reason: "cron_job_running",
        });
      }
      const runId = `${id}:manual:${random.hex(8)}`;
      const run = { runId, jobId: id, slotMs: nowMs, startedAtMs: nowMs, isManual: true } as const;
      const started = { ...job, state: { ...job.state, runningAtMs: nowMs } };
      if (await claim({ job: started, revision }, run, [])) return { runId };
      throw new ToolError("conflict", `Job "${job.name}" was changed at this moment. Retry.`);
    },
    /** Newest first. */
    async runs(id: string, limit: number): Promise<readonly CronLogEntry[]> {
      const page = await store.log.readLast({ stream: runStream(id), limit });
      // Written by `endRecord` and `skipRecord` alone.
      return page.records.map(({ value }) => value as CronLogEntry);
    },
    async close(): Promise<void> {
      closing.abort();
      cancelTimer?.();
      await Promise.all(underWay);
    },
  };
}

/** A new schedule, or enabling it, computes the next slot again and forgets earlier failures. */
function change(job: Job, patch: unknown, nowMs: number): Job {
  const draft = patchJob(job, patch, nowMs);
  const isSame =
    draft.enabled === job.enabled &&
    JSON.stringify(draft.schedule) === JSON.stringify(job.schedule);
  const { nextRunAtMs, consecutiveErrors, ...state } = job.state;
  const next = isSame ? job.state : { ...state, ...firstState(draft, nowMs) };
  return { id: job.id, ...draft, createdAtMs: job.createdAtMs, updatedAtMs: nowMs, state: next };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
