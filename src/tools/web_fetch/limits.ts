// How much `web_fetch` takes in, keeps and shows.

export const DEFAULT_MAX_CHARS = 50_000;
/** Less would show hardly more than a title. */
export const MIN_MAX_CHARS = 100;
export const DEFAULT_MAX_RESPONSE_BYTES = 5_000_000;
export const DEFAULT_MAX_REDIRECTS = 3;
export const DEFAULT_TIMEOUT_SECONDS = 30;
export const DEFAULT_CACHE_MINUTES = 15;
/** Of one text that is kept for paging. */
export const MAX_KEPT_CHARS = 2_000_000;
