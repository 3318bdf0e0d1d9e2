// Limits of what `browser` shows.

const MIB = 1024 * 1024;

export const DEFAULT_VIEW_CHARS = 20_000;
export const EFFICIENT_VIEW_CHARS = 8_000;
export const EFFICIENT_DEPTH = 6;
export const MIN_VIEW_CHARS = 500;
export const NOTICE_CHARS = 2_000;
/** Default rows of `snapshotFormat: "aria"`. */
export const DEFAULT_ARIA_NODES = 500;
export const MAX_CHANGE_CHARS = 2_000;
export const DEFAULT_ENTRIES = 50;
export const MAX_ENTRY_CHARS = 500;
export const MAX_IMAGE_SIDE = 2_000;
export const MAX_IMAGE_BASE64_CHARS = 4.5 * MIB;
export const MAX_IMAGE_PIXELS = 100_000_000;
