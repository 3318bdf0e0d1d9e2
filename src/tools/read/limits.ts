// How much `read` takes in and shows.

export const MAX_LINES = 2_000;
export const MAX_TEXT_BYTES = 50 * 1024;
export const MAX_FILE_BYTES = 64 * 1024 * 1024;
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
