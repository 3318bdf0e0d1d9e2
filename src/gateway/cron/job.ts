// A scheduled job: its shape, and reading one from what a client or a model sends.

import { THINKING_LEVELS } from "../../agent/index.js";
import { ToolInputError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { createSlots, MIN_EVERY_MS, ON_TIME_MS, type Schedule } from "./schedule.js";

const MAX_NAME_CHARS = 200;
const MAX_TEXT_CHARS = 100_000;
export const MISSED_POLICIES = ["skip", "once", "all"] as const;
const WAKE_MODES = ["now", "next-heartbeat"] as const;

export type JobPayload = ReturnType<typeof parsePayload>;

export interface JobState {
  /** The slot that runs next; absent when none is left or the job is disabled. */
  readonly nextRunAtMs?: number;
  readonly runningAtMs?: number;
  readonly lastRunAtMs?: number;
  readonly lastStatus?: "ok" | "error" | "skipped";
  readonly lastError?: string;
  readonly lastDurationMs?: number;
  readonly lastDeliveryStatus?: string;
  readonly consecutiveErrors?: number;
}

export interface Job {
  readonly id: string;
  readonly agentId?: string;
  readonly name: string;
  readonly description?: string;
  readonly enabled: boolean;
  readonly deleteAfterRun?: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly schedule: Schedule;
  readonly sessionTarget: "main" | "isolated";
  readonly wakeMode: (typeof WAKE_MODES)[number];
  readonly payload: JobPayload;
  /** What happens to slots that passed while nothing ran; default `once`. */
  readonly missed?: (typeof MISSED_POLICIES)[number];
  /** Later than this a missed slot is skipped; default one hour, none for `at`. */
  readonly maxLatenessMs?: number;
  readonly state: JobState;
}

type JobDraft = Omit<Job, "id" | "createdAtMs" | "updatedAtMs" | "state">;
type Fields = Readonly<Record<string, unknown>>;

const JOB_KEYS = [
  ...["agentId", "name", "description", "enabled", "deleteAfterRun", "schedule"],
  ...["sessionTarget", "wakeMode", "payload", "delivery", "missed", "maxLatenessMs"],
];
/** Sent back by clients that read a job and change it; never taken from them. */
const IGNORED_KEYS = [
  ...["id", "jobId", "state", "createdAtMs", "updatedAtMs", "nextRunAtMs", "configRevision"],
  ...["deliveryPreview", "isolation", "sessionKey"],
];

/** Throws a ToolInputError that names the field and the fix. `nowMs` anchors `every`. */
export function parseJob(given: unknown, nowMs: number): JobDraft {
  const draft = readJob(unwrap(given), nowMs);
  assertAhead(draft.schedule, nowMs);
  return draft;
}

function readJob(fields: Fields, nowMs: number): JobDraft {
  for (const key of Object.keys(fields)) {
    if (JOB_KEYS.includes(key) || IGNORED_KEYS.includes(key)) continue;
    throw bad(`Unknown job field "${key.slice(0, 60)}". A job has: ${JOB_KEYS.join(", ")}.`);
  }
  const schedule = parseSchedule(fields.schedule, nowMs);
  const payload = parsePayload(withDelivery(fields));
  const sessionTarget = readChoice(fields, "sessionTarget", ["main", "isolated"]);
  const target = sessionTarget ?? (payload.kind === "systemEvent" ? "main" : "isolated");
  if (target === "main" && payload.kind !== "systemEvent") {
    throw bad('main cron jobs require payload.kind="systemEvent"');
  }
  if (target === "isolated" && payload.kind !== "agentTurn") {
    throw bad('isolated cron jobs require payload.kind="agentTurn"');
  }
  const optional = {
    agentId: readText(fields, "agentId", 64)?.toLowerCase(),
    description: readText(fields, "description", 2_000),
    deleteAfterRun: readFlag(fields, "deleteAfterRun"),
    missed: readChoice(fields, "missed", MISSED_POLICIES),
    maxLatenessMs: readNumber(fields, "maxLatenessMs", 0),
  };
  return {
    name: readText(fields, "name", MAX_NAME_CHARS) ?? titleOf(payload),
    enabled: readFlag(fields, "enabled") ?? true,
    schedule,
    sessionTarget: target,
    wakeMode: readChoice(fields, "wakeMode", WAKE_MODES) ?? "next-heartbeat",
    payload,
    ...present(optional),
  };
}

/** The job with a patch applied; a payload of the same kind is merged, another replaces it. */
export function patchJob(job: Job, given: unknown, nowMs: number): JobDraft {
  const patch = unwrap(given);
  const payload = isFields(patch.payload) ? mergePayload(job.payload, patch.payload) : job.payload;
  const kept = { ...job, ...patch, payload, schedule: patch.schedule ?? job.schedule };
  const draft = readJob(present(kept), nowMs);
  const isMoved = JSON.stringify(draft.schedule) !== JSON.stringify(job.schedule);
  if (isMoved) assertAhead(draft.schedule, nowMs);
  return draft;
}

/** A time in the past is a slip of the caller, and the job would run at once. */
function assertAhead(schedule: Schedule, nowMs: number): void {
  if (schedule.kind !== "at" || schedule.atMs >= nowMs - ON_TIME_MS) return;
  const [at, now] = [schedule.atMs, nowMs].map((timeMs) => new Date(timeMs).toISOString());
  throw bad(`schedule.at ${at} is in the past; it is ${now} now. Use a later time.`);
}

function titleOf(payload: JobPayload): string {
  const text = payload.kind === "systemEvent" ? payload.text : payload.message;
  return toPrintable(text.trim().split("\n", 1).join(), 60);
}

function mergePayload(before: JobPayload, patch: Fields): Fields {
  const kind = patch.kind ?? before.kind;
  return kind === before.kind ? { ...before, ...patch } : patch;
}

/** Models wrap the job in `data` or `job`. */
function unwrap(given: unknown): Fields {
  if (!isFields(given)) throw bad("job must be an object with name, schedule and payload.");
  for (const key of ["job", "data"]) {
    const inner = given[key];
    if (isFields(inner) && given.schedule === undefined) return inner;
  }
  return given;
}

function parseSchedule(given: unknown, nowMs: number): Schedule {
  if (!isFields(given)) {
    throw bad(
      'schedule is missing: {kind:"at", at}, {kind:"every", everyMs} or {kind:"cron", expr, tz?}.',
    );
  }
  const kind = given.kind ?? inferKind(given);
  if (kind === "at") return { kind, atMs: readAt(given) };
  if (kind === "every") {
    const everyMs = readNumber(given, "everyMs", 1);
    if (everyMs === undefined) throw bad("schedule.everyMs is missing: milliseconds between runs.");
    if (everyMs < MIN_EVERY_MS) {
      throw bad(
        `schedule.everyMs is ${everyMs}; the shortest interval is ${MIN_EVERY_MS} (one second).`,
      );
    }
    return { kind, everyMs, anchorMs: readNumber(given, "anchorMs", 0) ?? nowMs };
  }
  if (kind !== "cron") throw bad(`schedule.kind must be "at", "every" or "cron".`);
  const expr = readText(given, "expr", 200) ?? readText(given, "cron", 200);
  if (expr === undefined) throw bad('schedule.expr is missing, such as "0 9 * * 1-5".');
  const tz = readText(given, "tz", 100);
  const schedule = { kind, expr, ...(tz === undefined ? {} : { tz }) } as const;
  if (createSlots(schedule).after(nowMs) === undefined) {
    throw bad(`schedule.expr "${expr}" never comes: no such date exists.`);
  }
  return schedule;
}

function inferKind(given: Fields): unknown {
  if (given.at !== undefined || given.atMs !== undefined) return "at";
  if (given.everyMs !== undefined) return "every";
  return given.expr === undefined && given.cron === undefined ? undefined : "cron";
}

/** ISO time, UTC unless it has a zone, or milliseconds. */
function readAt(given: Fields): number {
  const value = given.atMs ?? given.at;
  if (typeof value === "number" && Number.isFinite(value)) return Math.trunc(value);
  if (typeof value === "string") {
    const text = value.trim();
    if (/^\d{12,14}$/.test(text)) return Number(text);
    const hasZone = /(?:z|[+-]\d\d:?\d\d)$/i.test(text);
    const isDateOnly = /^\d{4}-\d\d-\d\d$/.test(text);
    const atMs = Date.parse(hasZone || isDateOnly ? text : `${text}Z`);
    const day = /^(\d{4}-\d\d-\d\d)/.exec(text)?.[1];
    if (Number.isFinite(atMs) && (day === undefined || isRealDay(day))) return atMs;
  }
  throw bad(
    `schedule.at "${String(value).slice(0, 60)}" is not a time. Use ISO 8601, such as "2026-05-01T09:00:00+02:00".`,
  );
}

/** `Date.parse` reads 30 February as 2 March. */
function isRealDay(day: string): boolean {
  const parsed = Date.parse(`${day}T00:00:00Z`);
  return Number.isFinite(parsed) && new Date(parsed).toISOString().startsWith(day);
}

function parsePayload(given: unknown) {
  if (!isFields(given)) {
    throw bad('payload is missing: {kind:"systemEvent", text} or {kind:"agentTurn", message}.');
  }
  const kind = given.kind ?? (given.text === undefined ? "agentTurn" : "systemEvent");
  if (kind === "systemEvent") return { kind, text: need(given, "text") } as const;
  if (kind !== "agentTurn") throw bad('payload.kind must be "systemEvent" or "agentTurn".');
  const optional = {
    model: readText(given, "model", 200),
    thinking: readChoice(given, "thinking", THINKING_LEVELS),
    timeoutSeconds: readNumber(given, "timeoutSeconds", 1),
    deliver: readFlag(given, "deliver"),
    channel: readText(given, "channel", 100),
    to: readText(given, "to", 500),
    bestEffortDeliver: readFlag(given, "bestEffortDeliver"),
  };
  return { kind, message: need(given, "message"), ...present(optional) } as const;
}

/** Other clients send where the reply goes apart from the payload. */
function withDelivery({ payload, delivery }: Fields): unknown {
  if (!isFields(payload) || !isFields(delivery)) return payload;
  const mode = readChoice(delivery, "mode", ["announce", "none"]) ?? "announce";
  const channel = readText(delivery, "channel", 100);
  return {
    ...payload,
    deliver: mode === "none" ? false : undefined,
    channel: channel === "last" ? undefined : channel,
    to: readText(delivery, "to", 500),
  };
}

function need(given: Fields, key: string): string {
  const text = readText(given, key, MAX_TEXT_CHARS);
  if (text === undefined) throw bad(`payload.${key} is missing or empty.`);
  return text;
}

function readText(fields: Fields, key: string, maxChars: number): string | undefined {
  const value = fields[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw bad(`${key} must be text.`);
  if (value.length > maxChars) {
    throw bad(`${key} has ${value.length} characters; at most ${maxChars} are allowed.`);
  }
  return value.trim() === "" ? undefined : value;
}

function readNumber(fields: Fields, key: string, minimum: number): number | undefined {
  const value = fields[key];
  if (value === undefined || value === null) return undefined;
  const number = typeof value === "string" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isSafeInteger(number) || number < minimum) {
    throw bad(`${key} must be a whole number of at least ${minimum}.`);
  }
  return number;
}

function readFlag(fields: Fields, key: string): boolean | undefined {
  const value = fields[key];
  if (value === undefined || value === null || typeof value === "boolean")
    return value ?? undefined;
  if (value === "true") return true;
  if (value === "false") return false;
  throw bad(`${key} must be true or false.`);
}

function readChoice<Choice extends string>(
  fields: Fields,
  key: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = fields[key];
  if (value === undefined || value === null) return undefined;
  const choice = choices.find((one) => one === value);
  if (choice === undefined) throw bad(`${key} must be one of ${choices.join(", ")}.`);
  return choice;
}

type Present<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** Without undefined, and without null, by which a patch removes a field. */
function present<Given extends object>(given: Given): Present<Given> {
  // The entries that are left are exactly those with a value.
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== null),
  ) as Present<Given>;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bad(message: string): ToolInputError {
  return new ToolInputError(message, { reason: "cron_job_invalid" });
}
