// The limits of one patch. Each is checked before memory is taken for what it limits.

export const MAX_PATCH_CHARS = 16 * 1024 * 1024;
export const MAX_PATCH_LINES = 500_000;
export const MAX_OPERATIONS = 1_000;
export const MAX_HUNKS = 20_000;
/** Of each file that is changed, replaced, moved or deleted, and of each that is made. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;
export const MAX_FILE_LINES = 2_000_000;
export const MAX_TOTAL_BYTES = 256 * 1024 * 1024;
export const MAX_COMPARISONS = 50_000_000;
export const MAX_DIFF_CHARS = 50_000;
