// How much of the past is kept.

const MEBIBYTE = 1024 * 1024;
const HOUR_MS = 60 * 60_000;

export interface HistoryLimits {
  /** A larger file is not kept: the call runs, and its undo answers `limit`. */
  readonly maxFileBytes: number;
  /** Over this the oldest calls go first. */
  readonly maxTotalBytes: number;
  /** A call can be undone for that long. */
  readonly maxAgeMs: number;
}

export const DEFAULT_LIMITS: HistoryLimits = {
  maxFileBytes: 32 * MEBIBYTE,
  maxTotalBytes: 512 * MEBIBYTE,
  maxAgeMs: 7 * 24 * HOUR_MS,
};

/** All old content of a bridge that is not a folder of this machine: it is kept in memory. */
export const MEMORY_LIMITS: HistoryLimits = { ...DEFAULT_LIMITS, maxTotalBytes: 64 * MEBIBYTE };

/** What nothing refers to is kept that long, in case a call is still recording it. */
export const MIN_UNUSED_AGE_MS = HOUR_MS;
/** The same where there is too much: hardly a call takes longer to record and make a change. */
export const MIN_RECORDING_MS = 10_000;
/** What is over the total is looked for when so large a part of it was added. */
export const PRUNE_PART = 8;

/** A file that fills all the room alone is too large as well. */
export function readLimits(
  given: Partial<HistoryLimits> | undefined,
  defaults: HistoryLimits,
): HistoryLimits {
  const limits = { ...defaults, ...given };
  return { ...limits, maxFileBytes: Math.min(limits.maxFileBytes, limits.maxTotalBytes) };
}
