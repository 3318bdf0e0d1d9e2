// Takes a call back: every file of it is checked first, then all are put back or none.

import { withFiles } from "../../../core/files/index.js";
import {
  abortError,
  type CallRecording,
  type FsBridge,
  type HistoryCall,
  type HistoryProblem,
  type UndoneFile,
  type UndoRequest,
  type UndoResult,
} from "../../../core/index.js";
import {
  alreadyUndone,
  cannotRemove,
  changedSince,
  contentNotKept,
  describeUnmarked,
  folderStands,
  type LaterCall,
  leadsElsewhere,
} from "../errors.js";
import { fromStoredPath, isSameState, type StoredPaths } from "../file-state.js";
import type { Objects } from "../objects.js";
import {
  type ChangeLog,
  type FoundCall,
  findCall,
  findChanges,
  isLater,
} from "../records/change-log.js";
import type { FileChange } from "../records/rows.js";
import {
  findStray,
  isBare,
  type JudgedFile,
  judgeFiles,
  planSteps,
  restoreAll,
  type UndoStep,
} from "./restore.js";

const MAX_LATER_CALLS = 1_000;
const RECENT_CALLS = 100;

export interface UndoParts {
  readonly log: ChangeLog;
  readonly objects: Objects;
  readonly paths: StoredPaths;
  readonly maxFileBytes: number;
  readonly newUndoId: () => string;
  readonly record: (
    call: HistoryCall & { readonly undoes: string },
    bridge: FsBridge,
  ) => CallRecording;
}

export async function undoCall(parts: UndoParts, request: UndoRequest): Promise<UndoResult> {
  const { log, objects } = parts;
  const { toolCallId, bridge, signal, sessionKey, agentId } = request;
  const found = await findCall(log, toolCallId);
  const changes = await findChanges(log, found);
  await assertKept(changes, { toolCallId, objects });
  if (signal?.aborted) throw abortError(signal);
  const undoId = parts.newUndoId();
  const recording = parts.record(
    { toolCallId: undoId, toolName: "undo", sessionKey, agentId, undoes: toolCallId },
    bridge,
  );
  const waiting = changes.map(({ path, place }) => ({
    ...fromStoredPath(place ?? path, parts.paths),
    ...(signal && { signal }),
  }));
  try {
    const files = await withFiles(recording.bridge, waiting, (held) =>
      undoFiles(held, { ...parts, request, changes, found }),
    );
    const doneBy = recording.hasChanges()
      ? undoId
      : ((await findEarlierUndo(log, toolCallId)) ?? undoId);
    const unmarked = await tryToMark(log, { found, undoId: doneBy });
    return { toolCallId, undoId: doneBy, files, problems: [...recording.problems(), ...unmarked] };
  } finally {
    await recording.end();
  }
}

async function undoFiles(
  bridge: FsBridge,
  work: UndoParts & {
    readonly request: UndoRequest;
    readonly changes: readonly FileChange[];
    readonly found: FoundCall;
  },
): Promise<UndoneFile[]> {
  const { request, objects, log, found } = work;
  const { undoneBy } = found.call;
  const judged = await judgeFiles(bridge, work);
  // When all that the call made is there again, there is something to undo again.
  const isThere = judged.length > 0 && judged.every(({ verdict }) => verdict === "restore");
  if (undoneBy !== undefined && !isThere) throw alreadyUndone(request.toolCallId, undoneBy);
  const steps = planSteps(judged, bridge);
  const stray = findStray(steps);
  if (stray.length > 0) throw leadsElsewhere(request.toolCallId, stray);
  const changed = judged.filter(({ verdict }) => verdict === "changed");
  if (changed.length > 0 && request.force !== true) {
    const { toolCallId } = request;
    const since = await findLaterCalls(log, { callKey: found.callKey, files: changed });
    throw changedSince({ toolCallId, paths: changed.map(pathOf), ...since });
  }
  await assertNoFullFolder(bridge, changed);
  const removals = steps.filter(isRemoval).map(({ file }) => pathOf(file));
  if (removals.length > 0 && !bridge.remove) throw cannotRemove(removals);
  if (request.signal?.aborted) throw abortError(request.signal);
  await restoreAll({ bridge, objects, steps });
  return describeFiles(judged, steps);
}

/** What is overwritten by force can be had back, and a folder with something in it could not. */
async function assertNoFullFolder(bridge: FsBridge, changed: readonly JudgedFile[]): Promise<void> {
  const full: JudgedFile[] = [];
  for (const file of changed) {
    const isFolder = (await bridge.stat(file.at))?.type === "directory";
    if (isFolder && !(await isBare(bridge, file.at))) full.push(file);
  }
  if (full.length > 0) throw folderStands(full.map(pathOf));
}

function describeFiles(judged: readonly JudgedFile[], steps: readonly UndoStep[]): UndoneFile[] {
  const done = steps.map((step): UndoneFile => {
    if (step.kind === "move") return { path: pathOf(step.source), action: "moved_back" };
    const forced = step.file.verdict === "changed" ? { forced: true } : {};
    return { path: pathOf(step.file), action: step.action, ...forced };
  });
  const unchanged = judged.filter(({ verdict }) => verdict === "done");
  return [
    ...done,
    ...unchanged.map((file): UndoneFile => ({ path: pathOf(file), action: "unchanged" })),
  ];
}

function isRemoval({ kind, file }: UndoStep): boolean {
  return kind === "put" && file.change.before.kind === "absent" && file.now.kind !== "absent";
}

function pathOf({ path }: JudgedFile): string {
  return path;
}

async function assertKept(
  changes: readonly FileChange[],
  { toolCallId, objects }: { readonly toolCallId: string; readonly objects: Objects },
): Promise<void> {
  const lost: FileChange[] = [];
  for (const change of changes) {
    const { before } = change;
    const isKept =
      before.kind === "absent" || (before.kind === "file" && (await objects.has(before.hash)));
    if (!isKept) lost.push(change);
  }
  if (lost.length > 0) throw contentNotKept(toolCallId, lost);
}

/** One that did everything but was killed before it could say so. */
async function findEarlierUndo(log: ChangeLog, toolCallId: string): Promise<string | undefined> {
  const recent = await log.list(RECENT_CALLS);
  return recent.find(({ call }) => call.undoes === toolCallId)?.call.toolCallId;
}

/** The files are put back by now, and anyone who asked must hear so: a full disk is a problem next to it. */
async function tryToMark(
  log: ChangeLog,
  mark: { readonly found: FoundCall; readonly undoId: string },
): Promise<HistoryProblem[]> {
  try {
    await markUndone(log, mark);
    return [];
  } catch (error) {
    return [describeUnmarked(mark.found.call.toolCallId, error)];
  }
}

/** An undo that is taken back leaves the call of before as one that can be undone again. */
async function markUndone(
  log: ChangeLog,
  { found, undoId }: { readonly found: FoundCall; readonly undoId: string },
): Promise<void> {
  await log.mark(found, undoId);
  const { undoes, toolCallId } = found.call;
  const first = undoes === undefined ? undefined : await log.find(undoes);
  if (first?.status !== "found" || first.found.call.undoneBy !== toolCallId) return;
  await log.mark(first.found, undefined);
}

interface LaterCalls {
  readonly laterCalls: readonly LaterCall[];
  readonly isAllTheirs: boolean;
}

async function findLaterCalls(
  log: ChangeLog,
  of: { readonly callKey: string; readonly files: readonly JudgedFile[] },
): Promise<LaterCalls> {
  const recent = await log.list(MAX_LATER_CALLS);
  const later = withoutUndone(recent.filter((call) => isLater(call, of)));
  const laterCalls: LaterCall[] = [];
  const latest = new Map<JudgedFile, FileChange>();
  for (const found of later) {
    const { call } = found;
    const changes = await findChanges(log, found);
    let isOfFiles = false;
    for (const file of of.files) {
      const change = changes.findLast((one) => isSamePlace(one, file.change));
      if (!change) continue;
      isOfFiles = true;
      if (!latest.has(file)) latest.set(file, change);
    }
    if (isOfFiles) laterCalls.push({ toolCallId: call.toolCallId, toolName: call.toolName });
  }
  const isTheirs = (file: JudgedFile) => {
    const left = latest.get(file)?.after;
    return left !== undefined && isSameState(left, file.now);
  };
  return { laterCalls, isAllTheirs: of.files.every(isTheirs) };
}

function isSamePlace(one: FileChange, other: FileChange): boolean {
  if ((one.place ?? one.path) === (other.place ?? other.path)) return true;
  const isKnown = one.place !== undefined && other.place !== undefined;
  return !isKnown && one.path === other.path;
}

/** A call that was taken back, and what took it back, leave nothing behind together. */
function withoutUndone(calls: readonly FoundCall[]): FoundCall[] {
  const undoers = new Set(calls.map(({ call }) => call.undoneBy));
  return calls.filter(({ call }) => call.undoneBy === undefined && !undoers.has(call.toolCallId));
}
