// A moment as people type it: a span before now, or a date.

import { UsageError } from "../../failure.js";

const SPAN = /^([1-9]\d{0,5})([smhd])$/;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?$/;
const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds since the epoch. Throws a UsageError. */
export function parseSince(text: string, nowMs: number): number {
  const [, count, unit = ""] = SPAN.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  if (count !== undefined && unitMs !== undefined) return nowMs - Number(count) * unitMs;
  const atMs = DATE.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(atMs)) return atMs;
  throw new UsageError(
    "--since takes a span such as 90s, 30m, 12h or 7d, or a date such as 2026-01-31.",
  );
}
