// The header `retry-after`, in its two forms: seconds, or a date of HTTP.

const SECONDS = /^\d+(?:\.\d+)?$/;
/** A plain number is never a date, and only the three forms of RFC 9110 begin with a weekday. */
const DATE = /^[A-Z][a-z]{2,8},? /;
/** A longer rest is meant for good, or by mistake: after a day it is asked again. */
const MAX_REST_MS = 86_400_000;
/** Whoever wants a rest, and says unreadably how long. */
const UNREADABLE_REST_MS = 60_000;

/** Milliseconds from now, never negative; undefined without the header. */
export function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? "";
  if (text === "") return undefined;
  const timeMs = DATE.test(text) ? Date.parse(text) : Number.NaN;
  const restMs = SECONDS.test(text) ? Number(text) * 1_000 : timeMs - nowMs;
  return Number.isNaN(restMs) ? UNREADABLE_REST_MS : Math.min(MAX_REST_MS, Math.max(0, restMs));
}
