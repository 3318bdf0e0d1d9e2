// A history over a log of changes and a place for old content, wherever these lie.
import {
  type CallDiff,
  type CallRecording,
  type CallToRecord,
  type ChangedCall,
  type ChangedFile,
  type Clock,
  type DiffRequest,
  type FileDiff,
  type FsBridge,
  type History,
  type RandomSource,
  type RecordedCall,
  ToolInputError,
} from "../../core/index.js";
import { diffLines } from "../../lib/diff/line-diff.js";
import { toPrintable } from "../../lib/printable.js";
import {
  type FileState,
  fromStoredPath,
  isSameState,
  type StoredPaths,
  seeFile,
  toStoredPlace,
} from "./file-state.js";
import type { Objects } from "./objects.js";
import { createCallRecorder, type Recorders } from "./recorder/call-recorder.js";
import { createRecordingBridge } from "./recording-bridge.js";
import { type ChangeLog, findCall, findChanges } from "./records/change-log.js";
import type { FileChange } from "./records/rows.js";
import { undoCall } from "./undo/undo-call.js";

const DEFAULT_MAX_CHARS = 50_000;
const NO_FILE = "/dev/null";

const WHY_OMITTED = {
  binary: "Binary content differs.",
  too_long: "The change is too long to be shown.",
  too_different: "The contents have too little in common to be shown as a change.",
  not_kept: "The old content was not kept.",
} as const satisfies Record<NonNullable<FileDiff["omitted"]>, string>;

interface DiffParts {
  readonly log: ChangeLog;
  readonly objects: Objects;
  readonly paths: StoredPaths;
  readonly maxFileBytes: number;
}

interface Sides {
  readonly before: Buffer | null | undefined;
  readonly after: Buffer | null | undefined;
  readonly against: FileDiff["against"];
}

type SideSource = DiffParts & { readonly bridge: FsBridge };

const ID_BYTES = 8;
const DEFAULT_LISTED = 20;
const MAX_LISTED = 1_000;

export interface HistoryPlace {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly root: string;
  readonly realRoot?: string | undefined;
  /** The state folder: what is changed in it is not remembered. */
  readonly excluded?: string | undefined;
  /** A change that could not be undone is refused instead of made. Default false. */
  readonly required?: boolean | undefined;
  /** Reported before anything is written in a folder: relative to the root, or absolute. */
  readonly enter?: ((folder: string) => Promise<void>) | undefined;
}

export interface FileHistory extends History {
  /** Clears away what is too old or too much; how many bytes are left, when no one else is at it. */
  prune(): Promise<number | undefined>;
  close(): Promise<void>;
}

type ToRecord = Omit<RecordedCall, "atMs"> & CallToRecord;

interface HistoryParts extends HistoryPlace, Recorders {
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

async function diffCall(parts: DiffParts, request: DiffRequest): Promise<CallDiff> {
  const found = await findCall(parts.log, request.toolCallId);
  const changes = await findChanges(parts.log, found);
  const files: FileDiff[] = [];
  let charsLeft = request.maxChars ?? DEFAULT_MAX_CHARS;
  for (const change of changes) {
    const sides = await findSides(change, { ...parts, bridge: request.bridge });
    const file = describe(change, { sides, maxChars: charsLeft });
    charsLeft = Math.max(0, charsLeft - (file.diff?.length ?? 0));
    files.push(file);
  }
  return { ...found.call, files, text: files.map(toText).join("") };
}

async function findSides(change: FileChange, source: SideSource): Promise<Sides> {
  const before = await findKept(change.before, source.objects);
  const seen = await seeFile(source.bridge, {
    path: fromStoredPath(change.place ?? change.path, source.paths),
    maxBytes: source.maxFileBytes,
  });
  const now = seen.state.kind === "absent" ? null : seen.bytes;
  if (isSameState(seen.state, change.after)) return { before, after: now, against: "call" };
  // A later call has kept it, when it changed the file in turn.
  const after = await findKept(change.after, source.objects);
  if (after !== undefined) return { before, after, against: "call" };
  return { before, after: now, against: "now" };
}

async function findKept(state: FileState, objects: Objects): Promise<Buffer | null | undefined> {
  if (state.kind === "absent") return null;
  if (state.kind === "unkept" || !(await objects.has(state.hash))) return undefined;
  return objects.get(state.hash);
}

function describe(
  change: FileChange,
  { sides, maxChars }: { readonly sides: Sides; readonly maxChars: number },
): FileDiff {
  const facts = { path: change.path, change: kindOf(change), against: sides.against } as const;
  if (sides.before === undefined || sides.after === undefined) {
    return { ...facts, omitted: "not_kept" };
  }
  if ([sides.before, sides.after].some((bytes) => bytes?.includes(0))) {
    return { ...facts, omitted: "binary" };
  }
  const [old, fresh] = [sides.before, sides.after].map((bytes) => bytes?.toString() ?? "");
  const { text, omitted } = diffLines(old ?? "", fresh ?? "", { maxChars });
  return { ...facts, ...(omitted && { omitted }), ...(text !== undefined && { diff: text }) };
}

function toText({ path, change, against, omitted, diff }: FileDiff): string {
  const shown = toPrintable(path);
  const from = change === "created" ? NO_FILE : `a/${shown}`;
  const to = change === "removed" ? NO_FILE : `b/${shown}`;
  const note = against === "now" ? "\t(as it is now; changed since the call)" : "";
  const body = diff ?? (omitted ? `${WHY_OMITTED[omitted]}\n` : "");
  return `--- ${from}\n+++ ${to}${note}\n${body}`;
}

export const MAX_LISTED_FILES = 3;

async function listCalls(log: ChangeLog, limit: number): Promise<ChangedCall[]> {
  const listed: ChangedCall[] = [];
  for (const found of await log.list(limit)) {
    const { call } = found;
    const changes = await findChanges(log, found);
    const files = changes.slice(0, MAX_LISTED_FILES).map(toChangedFile);
    listed.push({ ...call, files, fileCount: changes.length });
  }
  return listed;
}

function kindOf({ before, after }: FileChange): ChangedFile["change"] {
  if (before.kind === "absent") return "created";
  return after.kind === "absent" ? "removed" : "modified";
}

function toChangedFile(change: FileChange): ChangedFile {
  const { path, movedFrom } = change;
  return { path, change: kindOf(change), ...(movedFrom !== undefined && { movedFrom }) };
}

export interface Gate {
  isOpen(): boolean;
  pass(): Promise<unknown> | undefined;
}

function createGate(begin: (() => Promise<unknown>) | undefined): Gate {
  let opening: Promise<unknown> | undefined;
  let isOpen = begin === undefined;
  return {
    isOpen: () => isOpen,
    pass() {
      if (isOpen || !begin) return undefined;
      opening ??= begin().then(() => {
        isOpen = true;
      });
      return opening;
    },
  };
}
