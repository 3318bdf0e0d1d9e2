// The history of a folder: old content in files, records in the store, so that both outlive the
// process. Touches neither before the first change or question.

import { isToolError, type Store } from "../../core/index.js";
import { type FileHistory, type HistoryPlace, joinHistory } from "./join-history.js";
import { DEFAULT_LIMITS, type HistoryLimits, PRUNE_PART, readLimits } from "./limits.js";
import { createObjects } from "./objects.js";
import { prune } from "./prune.js";
import { createChangeLog } from "./records/change-log.js";

const HOLDER_BYTES = 8;

export interface HistoryOptions extends HistoryPlace {
  /** For old content: `<state folder>/undo/objects`. */
  readonly folder: string;
  readonly store: Store;
  /** Calls of another scope are not seen; default `root`. */
  readonly scope?: string | undefined;
  /** Further names of it, under which calls were recorded before. */
  readonly otherScopes?: readonly string[] | undefined;
  readonly limits?: Partial<HistoryLimits> | undefined;
  /** Reported what could not be done behind a call. */
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
}

export function createHistory(options: HistoryOptions): FileHistory {
  const { store, clock, random, root, otherScopes, report } = options;
  const limits = readLimits(options.limits, DEFAULT_LIMITS);
  const objects = createObjects({ folder: options.folder, random });
  const { maxAgeMs, maxFileBytes, maxTotalBytes } = limits;
  const scope = options.scope ?? root;
  const log = createChangeLog({ store, clock, random, scope, otherScopes, maxAgeMs, report });
  /** So that the first change of a process looks after what others left. */
  let addedBytes = Number.POSITIVE_INFINITY;
  let pruning: Promise<void> | undefined;

  const pruneNow = () =>
    prune({ store, objects, clock, limits, holder: `undo ${random.hex(HOLDER_BYTES)}` });

  const isDue = () => addedBytes > maxTotalBytes / PRUNE_PART;

  /** Until no more than that part was added since it last began. */
  async function pruneWhileDue(): Promise<void> {
    try {
      while (isDue()) {
        addedBytes = 0;
        await pruneNow();
      }
    } catch (cause) {
      const why = isToolError(cause) ? `: ${cause.message}` : ".";
      report({ message: `Old content could not be cleared away${why}`, cause });
    } finally {
      pruning = undefined;
    }
  }

  function added(bytes: number): void {
    addedBytes += bytes;
    if (isDue()) pruning ??= pruneWhileDue();
  }

  return {
    ...joinHistory({ ...options, log, objects, added, maxFileBytes }),
    prune: pruneNow,
    async close() {
      await pruning;
      await log.close();
    },
  };
}
