// How much `memory_search` takes and gives.

export const MAX_HITS = 50;
/** Words next to the query. */
export const MAX_ALSO = 32;
