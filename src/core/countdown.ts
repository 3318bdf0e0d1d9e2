// What is left of a time that several pieces of work share.

/** So little is not counted: an error names the time as the caller did. */
const MOMENT_MS = 50;

interface Timed {
  readonly timeoutMs?: number | undefined;
}

/** Begins now: each call gives the same with what is left in `timeoutMs`, where a time was named. */
export function createCountdown<Limits extends Timed>(
  limits: Limits,
  now: () => number,
): () => Limits {
  const { timeoutMs } = limits;
  if (timeoutMs === undefined) return () => limits;
  const beganMs = now();
  return () => {
    const passedMs = now() - beganMs;
    return passedMs < MOMENT_MS
      ? limits
      : { ...limits, timeoutMs: Math.max(0, timeoutMs - passedMs) };
  };
}
