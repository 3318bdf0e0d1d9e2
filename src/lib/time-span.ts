// A span of time as people write it: 90s, 30m, 12h, 7d, 1h30m.

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const MAX_MS = 1e14;
const PART = /(\d+(?:\.\d+)?)\s*(ms|[smhd])\s*/gi;

/** Milliseconds; undefined for text that is not a span of time, and for one without length. */
export function parseSpanMs(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.replace(PART, "") !== "") return undefined;
  let total = 0;
  for (const [, count, unit = ""] of trimmed.matchAll(PART)) {
    total += Number(count) * (UNIT_MS[unit.toLowerCase()] ?? 0);
  }
  return total >= 1 && total <= MAX_MS ? Math.round(total) : undefined;
}

export function showSpan(ms: number): string {
  const unit = ["d", "h", "m", "s"].find((one) => ms % (UNIT_MS[one] ?? 1) === 0) ?? "ms";
  return `${ms / (UNIT_MS[unit] ?? 1)}${unit}`;
}
