// The history of one bridge that is not a folder of this machine: it lives as long as it is used, no one
// else sees it, and nothing of it is on the disk.

import { type FileHistory, type HistoryPlace, joinHistory } from "../join-history.js";
import { type HistoryLimits, MEMORY_LIMITS, readLimits } from "../limits.js";
import { createMemoryShelf } from "./memory-shelf.js";

export interface MemoryHistoryOptions extends HistoryPlace {
  readonly limits?: Partial<HistoryLimits> | undefined;
}

export function createMemoryHistory(options: MemoryHistoryOptions): FileHistory {
  const limits = readLimits(options.limits, MEMORY_LIMITS);
  const { log, objects, evict, clear } = createMemoryShelf({ ...options, limits });
  const { maxFileBytes } = limits;
  return {
    // What is too much goes when the record is written that refers to it.
    ...joinHistory({ ...options, log, objects, maxFileBytes, added: () => undefined }),
    prune: async () => evict(),
    async close() {
      clear();
    },
  };
}
