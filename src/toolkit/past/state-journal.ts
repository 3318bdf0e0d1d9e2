// The journal of a toolkit: in the store, and in memory while the store cannot take it. A call is
// never refused for it: one that frees a full disk must run too.

import { isToolError, type Journal } from "../../core/index.js";
import { createMemoryJournal } from "../../drivers/records/index.js";
import type { Outage } from "./outage.js";

export interface StateJournalSource {
  /** Rejects while there is none. */
  readonly open: () => Promise<Journal>;
  readonly outage: Outage;
}

export function createStateJournal({ open, outage }: StateJournalSource): Journal {
  const memory = createMemoryJournal();
  return {
    async intend(intent) {
      try {
        const journal = await open();
        const end = await journal.intend(intent);
        outage.end();
        return end;
      } catch (error) {
        if (!isToolError(error)) throw error;
        outage.begin(error.message);
        return memory.intend(intent);
      }
    },
  };
}
