// The header `retry-after`, in its two forms: seconds, or a date of HTTP.

const SECONDS = /^\d{1,9}$/;
/** A plain number is never a date, and only the three forms of RFC 9110 begin with a weekday. */
const DATE = /^[A-Z][a-z]{2,8},? /;

/** Milliseconds from now, never negative; undefined for what is neither. */
export function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? "";
  if (SECONDS.test(text)) return Number(text) * 1_000;
  const timeMs = DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(timeMs) ? undefined : Math.max(0, timeMs - nowMs);
}
