// Spans of time as people type them: 90s, 30m, 12h, 7d.

import { UsageError } from "../../failure.js";

const FORM = /^([1-9]\d{0,5})([smhd])$/;
const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds. Throws a UsageError. */
export function parseDuration(text: string): number {
  const [, count, unit = ""] = FORM.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  if (count === undefined || unitMs === undefined) {
    throw new UsageError("--for takes a number and a unit: 90s, 30m, 12h or 7d.");
  }
  return Number(count) * unitMs;
}
