// How much `read` takes in and shows.

const MIB = 1024 * 1024;

export const MAX_LINES = 2_000;
/** Of the text that is shown, as UTF-8. */
export const MAX_TEXT_BYTES = 50 * 1024;
/** Of a folder, reported at a time. */
export const MAX_NAMES = 100;
/** Of a folder in all; names beyond these are not looked at. */
export const MAX_LISTED_NAMES = 100_000;
/** Only for bridges that cannot open a file and so give it as a whole. */
export const MAX_FILE_BYTES = 64 * MIB;
/** Of an image file, before it is made smaller. */
export const MAX_IMAGE_BYTES = 64 * MIB;
/** Pixels a side of an image that is shown. */
export const MAX_IMAGE_SIDE = 2_000;
/** Of an image that is shown; providers refuse 5 MiB. */
export const MAX_IMAGE_BASE64_CHARS = 4.5 * MIB;
/** Of an image file; known from its header, before anything is decoded. */
export const MAX_IMAGE_PIXELS = 100_000_000;
