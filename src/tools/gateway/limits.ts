// Limits that the definition and the implementation of `gateway` share.

export const DEFAULT_DELAY_MS = 2_000;
export const MAX_DELAY_MS = 60_000;
