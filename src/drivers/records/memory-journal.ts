// A journal that lives as long as the process: for library use without a state folder.

import type { Journal, JournalEnd, JournalIntent } from "../../core/index.js";

const MAX_ROWS = 1_000;

export interface MemoryJournal extends Journal {
  /** The newest 1,000, oldest first; without `end` while the call runs. */
  rows(): ReadonlyArray<JournalIntent & { readonly end: JournalEnd | undefined }>;
}

export function createMemoryJournal(): MemoryJournal {
  const rows: Array<JournalIntent & { end: JournalEnd | undefined }> = [];
  return {
    async intend(intent) {
      const row = { ...intent, end: undefined as JournalEnd | undefined };
      rows.push(row);
      if (rows.length > MAX_ROWS) rows.shift();
      return async (end) => {
        row.end = end;
      };
    },
    rows: () => rows.map((row) => ({ ...row })),
  };
}
