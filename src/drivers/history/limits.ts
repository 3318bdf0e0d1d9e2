// How much of the past is kept.

const MEBIBYTE = 1024 * 1024;
const HOUR_MS = 60 * 60_000;

export interface HistoryLimits {
  /** A larger file is not kept: the call runs, and its undo answers `limit`. */
  readonly maxFileBytes: number;
  /** Over this the oldest calls go first. */
  readonly maxTotalBytes: number;
  /** A call can be undone for so long. */
  readonly maxAgeMs: number;
}

export const DEFAULT_LIMITS: HistoryLimits = {
  maxFileBytes: 32 * MEBIBYTE,
  maxTotalBytes: 512 * MEBIBYTE,
  maxAgeMs: 7 * 24 * HOUR_MS,
};

/** A call may be recording what nothing refers to yet. */
export const MIN_UNUSED_AGE_MS = HOUR_MS;
/** The same for what only a call used that goes because there is too much. */
export const MIN_FORGOTTEN_AGE_MS = 10_000;
/** What is over the total is looked for when so large a part of it was added. */
export const PRUNE_PART = 8;
