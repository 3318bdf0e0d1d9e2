// How much `read` takes in and shows.

const MIB = 1024 * 1024;

export const MAX_LINES = 2_000;
export const MAX_TEXT_BYTES = 50 * 1024;
export const MAX_NAMES = 100;
export const MAX_LISTED_NAMES = 100_000;
/** Only for bridges that cannot open a file and so give it as a whole. */
export const MAX_FILE_BYTES = 64 * MIB;
export const MAX_IMAGE_BYTES = 64 * MIB;
export const MAX_IMAGE_SIDE = 2_000;
export const MAX_IMAGE_BASE64_CHARS = 4.5 * MIB;
export const MAX_IMAGE_PIXELS = 100_000_000;
