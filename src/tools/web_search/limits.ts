// How much `web_search` takes in, waits for and shows.

export const DEFAULT_MAX_RESULTS = 5;
export const MAX_RESULTS = 10;
export const DEFAULT_TIMEOUT_SECONDS = 30;
export const DEFAULT_CACHE_MINUTES = 15;
/** Of one answer of a provider. */
export const MAX_ANSWER_BYTES = 2_000_000;
export const MAX_QUERY_CHARS = 1_000;
export const MAX_TITLE_CHARS = 300;
export const MAX_SNIPPET_CHARS = 600;
export const MAX_URL_CHARS = 2_048;
/** Of an answer in prose. */
export const MAX_CONTENT_CHARS = 20_000;
export const MAX_CITATIONS = 20;
