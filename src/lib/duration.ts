// Spans of time as people write them: "30m", "1h30m", "90s", "2d", or milliseconds.

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const PART = /(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)/gi;

/** Milliseconds; undefined when the text is not a span of time. */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^\d+$/.test(trimmed)) return Number(trimmed);
  if (trimmed === "" || trimmed.replace(PART, "").trim() !== "") return undefined;
  let total = 0;
  for (const [, count, unit] of trimmed.matchAll(PART)) {
    total += Number(count) * UNIT_MS[unit?.toLowerCase() as keyof typeof UNIT_MS];
  }
  return Math.round(total);
}
