// What a run leaves behind: the state of its job, the next slot after errors, and the run log.

import type { StoreOperation } from "../../core/index.js";
import type { Job, JobState } from "./job.js";
import { countSlots, createSlots } from "./schedule.js";

const BACKOFF_MS = [30_000, 60_000, 300_000, 900_000, 3_600_000] as const;
const MAX_CONSECUTIVE_ERRORS = 10;
const MAX_ERROR_CHARS = 500;
const MAX_SUMMARY_CHARS = 2_000;

/** One execution of a job. */
export interface CronRun {
  /** Unique per job and slot. */
  readonly runId: string;
  readonly jobId: string;
  readonly slotMs: number;
  readonly startedAtMs: number;
  /** Asked for by a person or an agent, not by the schedule. */
  readonly isManual?: true;
}

export interface CronOutcome {
  readonly status: "ok" | "error" | "skipped";
  readonly error?: string;
  readonly summary?: string;
  readonly deliveryStatus?: string;
  /** Written in the transaction that ends the run. */
  readonly operations?: readonly StoreOperation[];
}

export interface CronLogEntry {
  readonly ts: number;
  readonly jobId: string;
  readonly jobName: string;
  readonly action: "finished" | "skipped";
  readonly status: CronOutcome["status"];
  readonly error?: string;
  readonly summary?: string;
  readonly runId?: string;
  readonly runAtMs?: number;
  readonly durationMs?: number;
  readonly nextRunAtMs?: number;
  readonly deliveryStatus?: string;
  /** Slots that passed without a run. */
  readonly missed?: number;
}

/** The job after a run: next slot, backoff after errors, the end of a job that runs once. */
export function settle(
  job: Job,
  end: { readonly run: CronRun; readonly outcome: CronOutcome; readonly nowMs: number },
): Job {
  const { run, outcome, nowMs } = end;
  const { runningAtMs, lastError, lastDeliveryStatus, consecutiveErrors = 0, ...kept } = job.state;
  const hasFailed = outcome.status === "error";
  const errors = hasFailed ? consecutiveErrors + 1 : 0;
  const state: JobState = {
    ...kept,
    lastRunAtMs: run.slotMs,
    lastStatus: outcome.status,
    lastDurationMs: nowMs - run.startedAtMs,
    ...(errors > 0 ? { consecutiveErrors: errors } : {}),
    ...(outcome.error === undefined ? {} : { lastError: describeError(outcome.error, errors) }),
    ...(outcome.deliveryStatus === undefined ? {} : { lastDeliveryStatus: outcome.deliveryStatus }),
  };
  const isOver = job.schedule.kind === "at" && run.isManual !== true;
  if (isOver || errors >= MAX_CONSECUTIVE_ERRORS) {
    return { ...job, enabled: false, state: withNext(state, undefined) };
  }
  const backoffMs = hasFailed ? BACKOFF_MS[Math.min(errors, BACKOFF_MS.length) - 1] : undefined;
  if (backoffMs === undefined || (state.nextRunAtMs ?? 0) >= nowMs + backoffMs) {
    return { ...job, state };
  }
  const next = createSlots(job.schedule).after(nowMs + backoffMs - 1);
  return { ...job, state: withNext(state, job.enabled ? next : undefined) };
}

function describeError(error: string, failures: number): string {
  const text = error.slice(0, MAX_ERROR_CHARS);
  if (failures < MAX_CONSECUTIVE_ERRORS) return text;
  return `${text} The job is disabled after ${failures} failures in a row.`;
}

export function withNext({ nextRunAtMs, ...state }: JobState, next: number | undefined): JobState {
  return next === undefined ? state : { ...state, nextRunAtMs: next };
}

/** A time in the past is due at once. */
export function firstState(draft: Pick<Job, "enabled" | "schedule">, nowMs: number): JobState {
  if (!draft.enabled) return {};
  const { schedule } = draft;
  return withNext({}, schedule.kind === "at" ? schedule.atMs : createSlots(schedule).after(nowMs));
}

export function endRecord(
  job: Job,
  { run, outcome, nowMs }: Parameters<typeof settle>[1],
): StoreOperation {
  const { status, error, summary, deliveryStatus } = outcome;
  return toRecord({
    ...{ ts: nowMs, jobId: job.id, jobName: job.name, action: "finished", status },
    ...{ runId: run.runId, runAtMs: run.slotMs, durationMs: nowMs - run.startedAtMs },
    ...(error !== undefined && { error: job.state.lastError ?? error }),
    ...(summary !== undefined && { summary: summary.slice(0, MAX_SUMMARY_CHARS) }),
    ...(deliveryStatus !== undefined && { deliveryStatus }),
    ...(job.state.nextRunAtMs !== undefined && { nextRunAtMs: job.state.nextRunAtMs }),
  });
}

export function skipRecord(
  job: Job,
  { missed, why, nowMs }: { readonly missed: number; readonly why: string; readonly nowMs: number },
): StoreOperation {
  const error = `${missed} ${missed === 1 ? "slot" : "slots"} skipped: ${why}`;
  const what = { action: "skipped", status: "skipped", error, missed } as const;
  return toRecord({ ts: nowMs, jobId: job.id, jobName: job.name, ...what });
}

/** Slots that a job gives up while it backs off are said in its log. */
export function listBackoffSkips(before: Job, after: Job, nowMs: number): StoreOperation[] {
  const fromMs = before.state.nextRunAtMs;
  const untilMs = after.state.nextRunAtMs;
  if (fromMs === undefined || untilMs === undefined || untilMs <= fromMs) return [];
  const missed = countSlots(after.schedule, fromMs, untilMs);
  const why = `waiting after ${after.state.consecutiveErrors} failures`;
  return [skipRecord(after, { missed, why, nowMs })];
}

function toRecord(entry: CronLogEntry): StoreOperation {
  return { kind: "log.append", stream: runStream(entry.jobId), records: [entry] };
}

export function runStream(jobId: string): string {
  return `cron:runs:${jobId}`;
}
