// The journal of a toolkit: in the store, and in memory while the store cannot take it. A call is
// never refused for it: one that frees a full disk must run too.

import { isToolError, type Journal } from "../../core/index.js";
import { createMemoryJournal } from "../../drivers/records/index.js";
import type { Outage } from "./outage.js";

export interface StateJournalSource {
  /** Rejects while there is none. */
  readonly open: () => Promise<Journal>;
  readonly outage: Outage;
  /** Arguments hold content of files; that of a bridge which is no folder is not written to the disk. */
  readonly withArguments: boolean;
}

export function createStateJournal(source: StateJournalSource): Journal {
  const { open, outage, withArguments } = source;
  const memory = createMemoryJournal();
  return {
    async intend(intent) {
      try {
        const journal = await open();
        const kept = withArguments ? intent : { ...intent, argumentsText: "" };
        const end = await journal.intend(kept);
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
