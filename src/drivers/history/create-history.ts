// The history of one root: old content in a folder, records in the store. Touches neither before the
// first change or question.

import { dirname } from "node:path";
import {
  type CallRecording,
  type ChangedCall,
  type Clock,
  type FsBridge,
  type History,
  type RandomSource,
  type Store,
  ToolInputError,
} from "../../core/index.js";
import { type CallRecorder, createCallRecorder, type Recorders } from "./call-recorder.js";
import { diffCall } from "./diff-call.js";
import { DEFAULT_LIMITS, type HistoryLimits, PRUNE_PART } from "./limits.js";
import { createObjects } from "./objects.js";
import { prune } from "./prune.js";
import { createRecordingBridge } from "./recording-bridge.js";
import { createChangeLog } from "./records/change-log.js";
import { undoCall } from "./undo/undo-call.js";

const ID_BYTES = 8;
const DEFAULT_LISTED = 20;
const MAX_LISTED = 1_000;

export interface HistoryOptions {
  /** For old content: `<state folder>/undo/objects`. */
  readonly folder: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Paths start here; "" for a bridge that has no folder. */
  readonly root: string;
  /** Calls of another scope are not seen; default `root`. */
  readonly scope?: string | undefined;
  /** The state folder: what is changed in it is not remembered. */
  readonly excluded?: string | undefined;
  readonly limits?: Partial<HistoryLimits> | undefined;
  /** A change that could not be undone is refused instead of made. Default false. */
  readonly required?: boolean | undefined;
  /** Told before anything is written in a folder: relative to the root, or absolute. */
  readonly enter?: ((folder: string) => Promise<void>) | undefined;
  /** Told when old content could not be cleared away. */
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
}

export interface FileHistory extends History {
  /** Clears away what is too old or too much; how many bytes are left, when nobody else is at it. */
  prune(): Promise<number | undefined>;
  /** Waits for what runs in the background. The store stays open. */
  close(): Promise<void>;
}

export function createHistory(options: HistoryOptions): FileHistory {
  const { store, clock, random, root } = options;
  const limits = readLimits(options.limits);
  const objects = createObjects({ folder: options.folder, random });
  const { maxAgeMs, maxFileBytes, maxTotalBytes } = limits;
  const log = createChangeLog({ store, clock, random, scope: options.scope ?? root, maxAgeMs });
  const paths = { root, excluded: options.excluded };
  /** So that the first change of a process looks after what others left. */
  let addedBytes = Number.POSITIVE_INFINITY;
  let pruning: Promise<unknown> | undefined;

  const pruneNow = () =>
    prune({ store, objects, clock, limits, holder: `undo ${random.hex(ID_BYTES)}` });

  function added(bytes: number): void {
    addedBytes += bytes;
    if (addedBytes <= maxTotalBytes / PRUNE_PART || pruning) return;
    addedBytes = 0;
    pruning = pruneNow()
      .catch((cause: unknown) => {
        options.report({ message: "Old content could not be cleared away.", cause });
      })
      .finally(() => {
        pruning = undefined;
      });
  }

  const recorders: Recorders = { log, objects, added };
  const record = (call: Omit<ChangedCall, "atMs">, bridge: FsBridge): CallRecording => {
    const recorder = createCallRecorder({
      call,
      now: () => clock.now(),
      open: async () => recorders,
      maxFileBytes,
      required: options.required === true && call.undoes === undefined,
    });
    const { problems, hasChanges, end } = recorder;
    const change: CallRecorder["change"] = async (made) => {
      for (const { path } of made.touches) await options.enter?.(dirname(path));
      return recorder.change(made);
    };
    const recording = createRecordingBridge({
      ...paths,
      bridge,
      recorder: { ...recorder, change },
    });
    return { bridge: recording, problems, hasChanges, end };
  };
  const newUndoId = () => `undo_${random.hex(ID_BYTES)}`;

  return {
    record,
    undo: (request) => undoCall({ log, objects, paths, maxFileBytes, newUndoId, record }, request),
    diff: (request) => diffCall({ log, objects, paths, maxFileBytes }, request),
    list: async (limit = DEFAULT_LISTED) => log.list(readLimit(limit)),
    prune: pruneNow,
    async close() {
      await pruning;
    },
  };
}

/** A file that fills all the room alone is too large as well. */
function readLimits(given: Partial<HistoryLimits> | undefined): HistoryLimits {
  const limits = { ...DEFAULT_LIMITS, ...given };
  return { ...limits, maxFileBytes: Math.min(limits.maxFileBytes, limits.maxTotalBytes) };
}

function readLimit(limit: unknown): number {
  if (Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= MAX_LISTED) {
    return Number(limit);
  }
  throw new ToolInputError(`limit must be a whole number from 1 to ${MAX_LISTED}.`, {
    reason: "options_invalid",
  });
}
