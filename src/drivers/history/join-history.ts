// A history over a log of changes and a place for old content, wherever these lie.

import {
  type CallRecording,
  type CallToRecord,
  type Clock,
  type FsBridge,
  type History,
  type RandomSource,
  type RecordedCall,
  ToolInputError,
} from "../../core/index.js";
import { diffCall } from "./diff-call.js";
import { createGate } from "./gate.js";
import { listCalls } from "./list-calls.js";
import { createCallRecorder, type Recorders } from "./recorder/call-recorder.js";
import { createRecordingBridge } from "./recording-bridge.js";
import { toStoredPlace } from "./stored-path.js";
import { undoCall } from "./undo/undo-call.js";

const ID_BYTES = 8;
const DEFAULT_LISTED = 20;
const MAX_LISTED = 1_000;

/** Where and under which rules calls change files. */
export interface HistoryPlace {
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Paths start here; "" for a bridge that has no folder. */
  readonly root: string;
  /** The same with all links followed; default `root`. */
  readonly realRoot?: string | undefined;
  /** The state folder: what is changed in it is not remembered. */
  readonly excluded?: string | undefined;
  /** A change that could not be undone is refused instead of made. Default false. */
  readonly required?: boolean | undefined;
  /** Told before anything is written in a folder: relative to the root, or absolute. */
  readonly enter?: ((folder: string) => Promise<void>) | undefined;
}

export interface FileHistory extends History {
  /** Clears away what is too old or too much; how many bytes are left, when nobody else is at it. */
  prune(): Promise<number | undefined>;
  /** Waits for what runs in the background. The store stays open. */
  close(): Promise<void>;
}

type ToRecord = Omit<RecordedCall, "atMs"> & CallToRecord;

export interface HistoryParts extends HistoryPlace, Recorders {
  readonly maxFileBytes: number;
}

export function joinHistory(parts: HistoryParts): History {
  const { log, objects, added, clock, random, root, maxFileBytes } = parts;
  const paths = { root, realRoot: parts.realRoot ?? root, excluded: parts.excluded };

  const record = (given: ToRecord, bridge: FsBridge): CallRecording => {
    const { begin, ...call } = given;
    const gate = createGate(begin);
    const recorder = createCallRecorder({
      call,
      now: () => clock.now(),
      recorders: { log, objects, added },
      maxFileBytes,
      required: parts.required === true && call.undoes === undefined,
      toPlace: (realPath) => toStoredPlace(realPath, paths),
      enter: parts.enter,
      gate,
    });
    const { problems, hasChanges, end } = recorder;
    const recording = createRecordingBridge({ ...paths, bridge, recorder, gate });
    return { bridge: recording, problems, hasChanges, end };
  };
  const newUndoId = () => `undo_${random.hex(ID_BYTES)}`;

  return {
    record,
    undo: (request) => undoCall({ log, objects, paths, maxFileBytes, newUndoId, record }, request),
    diff: (request) => diffCall({ log, objects, paths, maxFileBytes }, request),
    async find(toolCallId) {
      const lookup = await log.find(toolCallId);
      return lookup.status === "found" ? lookup.found.call : undefined;
    },
    list: async (limit = DEFAULT_LISTED) => listCalls(log, readLimit(limit)),
  };
}

function readLimit(limit: unknown): number {
  if (Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= MAX_LISTED) {
    return Number(limit);
  }
  throw new ToolInputError(`limit must be a whole number from 1 to ${MAX_LISTED}.`, {
    reason: "options_invalid",
  });
}
