// Limits for the schema and the implementation.

export const MAX_TIMEOUT_SECONDS = 24 * 60 * 60;
export const MIN_YIELD_MS = 10;
export const MAX_YIELD_MS = 120_000;
export const DEFAULT_YIELD_MS = 10_000;
