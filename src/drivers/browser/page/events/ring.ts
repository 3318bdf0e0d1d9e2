// The newest entries of something that goes on for ever.

import type { PageRecords, RecordsRequest } from "../../../../core/browser.js";

export interface Ring<Entry> {
  add(entry: Entry): void;
  each(look: (entry: Entry) => void): void;
  read(request: RecordsRequest, keep: (entry: Entry) => boolean): PageRecords<Entry>;
}

export function createRing<Entry>(maxEntries: number): Ring<Entry> {
  let entries: Entry[] = [];
  let dropped = 0;
  return {
    each: (look) => entries.forEach(look),
    add: (entry) => {
      entries.push(entry);
      if (entries.length <= maxEntries) return;
      entries.shift();
      dropped += 1;
    },
    read: ({ limit, clear }, keep) => {
      const matching = entries.filter(keep);
      const answer = { entries: matching.slice(-limit), total: matching.length, dropped };
      if (clear) {
        entries = [];
        dropped = 0;
      }
      return answer;
    },
  };
}

/** Without regard for case; every word must be there. */
export function holdsWords(text: string, query: string | undefined): boolean {
  if (!query) return true;
  const folded = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => folded.includes(word));
}
