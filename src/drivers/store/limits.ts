// How much a store takes, whichever driver it is.

export const MAX_NAME_BYTES = 1_024;
export const MAX_RECORD_BYTES = 16 * 1024 * 1024;
/** Of all records of one append or one transact together. */
export const MAX_WRITE_BYTES = 64 * 1024 * 1024;
export const MAX_VALUE_DEPTH = 256;
/** Records of one append, operations of one transact. */
export const MAX_PARTS = 1_000;
export const DEFAULT_PAGE_ENTRIES = 100;
export const MAX_PAGE_ENTRIES = 1_000;
/** About: a page ends early rather than hold more; it always holds one entry. */
export const MAX_PAGE_BYTES = 32 * 1024 * 1024;
export const DEFAULT_CLAIM_ENTRIES = 1;
export const MAX_CLAIM_ENTRIES = 100;
/** The longest time to live, delay or visibility: a hundred years. */
export const MAX_SPAN_MS = 100 * 365 * 24 * 60 * 60_000;
