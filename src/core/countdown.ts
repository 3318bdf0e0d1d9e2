// What is left of a time that several pieces of work share.

const MOMENT_MS = 50;

interface Timed {
  readonly timeoutMs?: number | undefined;
}

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
