// How much `browser` shows of a page, and the bounds of what may be asked for.

const MIB = 1024 * 1024;

export const DEFAULT_VIEW_CHARS = 20_000;
export const EFFICIENT_VIEW_CHARS = 8_000;
export const EFFICIENT_DEPTH = 6;
export const MIN_VIEW_CHARS = 500;
/** Of the characters of a result, left for the notices. */
export const NOTICE_CHARS = 2_000;
/** Nodes of `snapshotFormat: "aria"` when the call says nothing else. */
export const DEFAULT_ARIA_NODES = 500;
/** Of what an act, a navigation or an opened page changed. */
export const MAX_CHANGE_CHARS = 2_000;
export const DEFAULT_ENTRIES = 50;
/** Of one line of the console, one address of a request. */
export const MAX_ENTRY_CHARS = 500;
/** Pixels a side of an image that is shown. */
export const MAX_IMAGE_SIDE = 2_000;
/** Of an image that is shown; providers refuse 5 MiB. */
export const MAX_IMAGE_BASE64_CHARS = 4.5 * MIB;
/** Of an image before it is made smaller. */
export const MAX_IMAGE_PIXELS = 100_000_000;
