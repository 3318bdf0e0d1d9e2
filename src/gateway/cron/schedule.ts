// When a job is due: the slots of a schedule, and which of them run after a pause.

import { Cron } from "croner";
import { ToolInputError } from "../../core/index.js";

export const MIN_EVERY_MS = 1_000;
/** A slot that is less late than this is on time, whatever the policy. */
export const ON_TIME_MS = 60_000;
const DEFAULT_MAX_LATENESS_MS = 3_600_000;
/** More missed slots than this are counted as "at least". */
const MAX_COUNTED = 1_000;

export type Schedule =
  | { readonly kind: "at"; readonly atMs: number }
  | { readonly kind: "every"; readonly everyMs: number; readonly anchorMs: number }
  | { readonly kind: "cron"; readonly expr: string; readonly tz?: string };

export interface Slots {
  /** The first slot later than this; undefined when there is none. */
  after(timeMs: number): number | undefined;
}

/** Throws a ToolInputError for an expression or a time zone that does not exist. */
export function createSlots(schedule: Schedule): Slots {
  if (schedule.kind === "at") {
    return { after: (timeMs) => (schedule.atMs > timeMs ? schedule.atMs : undefined) };
  }
  if (schedule.kind === "every") {
    const { everyMs, anchorMs } = schedule;
    return {
      after: (timeMs) =>
        timeMs < anchorMs
          ? anchorMs
          : anchorMs + (Math.floor((timeMs - anchorMs) / everyMs) + 1) * everyMs,
    };
  }
  const cron = parseCron(schedule);
  return { after: (timeMs) => cron.nextRun(new Date(timeMs))?.getTime() };
}

function parseCron({ expr, tz }: { readonly expr: string; readonly tz?: string }): Cron {
  try {
    if (tz !== undefined) new Intl.DateTimeFormat("en", { timeZone: tz });
  } catch {
    throw new ToolInputError(
      `Unknown time zone "${tz}". Use an IANA name such as "Europe/Berlin" or "UTC".`,
      { reason: "cron_job_invalid" },
    );
  }
  try {
    return new Cron(expr, { paused: true, ...(tz === undefined ? {} : { timezone: tz }) });
  } catch (cause) {
    throw new ToolInputError(
      `"${expr}" is not a cron expression. Use five fields (minute, hour, day, month, weekday), such as "0 9 * * 1-5".`,
      { reason: "cron_job_invalid", cause },
    );
  }
}

export interface Due {
  /** The slot to run now; undefined when all that passed are skipped. */
  readonly run?: number;
  /** The slot after that. */
  readonly next?: number;
  /** Slots that passed and do not run. */
  readonly skipped: number;
}

export interface DueRequest {
  readonly schedule: Schedule;
  readonly missed: "skip" | "once" | "all";
  readonly maxLatenessMs?: number | undefined;
  /** The slot that waits; not later than `nowMs`. */
  readonly slotMs: number;
  readonly nowMs: number;
}

/** Every slot is either `run`, `next` or counted in `skipped`: none disappears. */
export function decideDue({ schedule, missed, slotMs, nowMs, ...request }: DueRequest): Due {
  const slots = createSlots(schedule);
  const lateness =
    request.maxLatenessMs ??
    (schedule.kind === "at" ? Number.POSITIVE_INFINITY : DEFAULT_MAX_LATENESS_MS);
  const allowedMs = missed === "skip" ? ON_TIME_MS : Math.max(lateness, ON_TIME_MS);
  if (missed === "all") {
    const first = Math.max(slotMs, slots.after(nowMs - allowedMs - 1) ?? slotMs);
    const { passed } = findLatest(slots, { slotMs, nowMs: first });
    if (first <= nowMs) {
      return { run: first, ...toNext(slots.after(first)), skipped: passed - 1 };
    }
  }
  const { latestMs, passed } = findLatest(slots, { slotMs, nowMs });
  const next = toNext(slots.after(Math.max(latestMs, nowMs)));
  if (nowMs - latestMs > allowedMs) return { ...next, skipped: passed };
  return { run: latestMs, ...next, skipped: passed - 1 };
}

/** The last slot that has passed, and how many there were, `slotMs` included. */
function findLatest(
  slots: Slots,
  { slotMs, nowMs }: Pick<DueRequest, "slotMs" | "nowMs">,
): { readonly latestMs: number; readonly passed: number } {
  let latestMs = slotMs;
  let passed = 1;
  for (;;) {
    const following = slots.after(latestMs);
    if (following === undefined || following > nowMs) return { latestMs, passed };
    passed += 1;
    // A short interval after a long pause: only the last slots matter.
    const jump = passed > MAX_COUNTED ? slots.after(nowMs - ON_TIME_MS) : undefined;
    latestMs = jump !== undefined && jump > following && jump <= nowMs ? jump : following;
  }
}

/** How many slots there are from `fromMs` on and before `untilMs`; counting stops at a thousand. */
export function countSlots(schedule: Schedule, fromMs: number, untilMs: number): number {
  const slots = createSlots(schedule);
  let count = 0;
  for (let next = slots.after(fromMs - 1); next !== undefined && next < untilMs; ) {
    count += 1;
    if (count >= MAX_COUNTED) break;
    next = slots.after(next);
  }
  return count;
}

function toNext(next: number | undefined): { readonly next?: number } {
  return next === undefined ? {} : { next };
}
