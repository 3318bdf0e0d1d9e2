// A span of time as people type it: 90s, 30m, 12h, 7d.

const FORM = /^([1-9]\d{0,5})([smhd])$/;
const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds; undefined for anything else. */
export function parseSpanMs(text: string): number | undefined {
  const [, count, unit = ""] = FORM.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  return count === undefined || unitMs === undefined ? undefined : Number(count) * unitMs;
}
