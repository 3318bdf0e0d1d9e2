// Takes rows into a page until it is full, by number or by size.

import { MAX_PAGE_BYTES } from "../../limits.js";
import { textOf } from "./row.js";

/**
 * `rows` holds one more than `limit`, if there is one: then, or when the size is reached, there is a
 * next page.
 */
export function fillPage<Entry>(
  rows: Iterable<unknown>,
  { limit, toEntry }: { readonly limit: number; readonly toEntry: (row: unknown) => Entry },
): { readonly entries: readonly Entry[]; readonly hasMore: boolean } {
  const entries: Entry[] = [];
  let chars = 0;
  for (const row of rows) {
    chars += textOf(row, "value").length;
    const isFull = entries.length === limit || chars > MAX_PAGE_BYTES;
    if (isFull && entries.length > 0) return { entries, hasMore: true };
    entries.push(toEntry(row));
  }
  return { entries, hasMore: false };
}
