// The changes that a call is about to make, as they are written down: the old content of each path is
// put away, the first time it is touched.

import { type FileAccess, type OldFile, readAccess } from "../../../core/files/index.js";
import { type HistoryProblem, type RecordedCall, toToolError } from "../../../core/index.js";
import { describeUnkept } from "../errors.js";
import {
  type FileState,
  isSameState,
  lookAt,
  lookAtOld,
  type Sight,
  stateOfSeen,
  toKeptFile,
} from "../file-state.js";
import type { ChangeLog } from "../records/change-log.js";
import type { FileChange, NumberedChange } from "../records/rows.js";
import type { Change, Recorders, Touch } from "./call-recorder.js";

export interface CallRecord {
  find(path: string): NumberedChange | undefined;
  knowsAny(touches: readonly { readonly path: string }[]): boolean;
  all(): readonly NumberedChange[];
  newIndex(): number;
  write(changes: readonly NumberedChange[]): Promise<void>;
  forget(changes: readonly NumberedChange[]): Promise<void>;
}

interface CallRecordOptions {
  readonly call: Omit<RecordedCall, "atMs">;
  readonly now: () => number;
  readonly log: Pick<ChangeLog, "newKey" | "write" | "forget">;
}

export const UNSEEN = { kind: "unkept", reason: "not_readable" } as const;

type Seen = { readonly sights: readonly Sight[] } | { readonly refusal: unknown };

export interface NoteMeans extends Pick<Recorders, "objects" | "added"> {
  readonly sights: readonly Sight[];
  readonly record: CallRecord;
  readonly fail: (problem: HistoryProblem, cause: unknown) => void;
}

export async function describeTouches(
  touches: readonly Touch[],
  means: NoteMeans,
): Promise<NumberedChange[]> {
  const { sights, record } = means;
  const changes: NumberedChange[] = [];
  // What else was done to a moved file would be lost by moving it back.
  const isMoveKnown = record.knowsAny(touches);
  let first: FileState | undefined;
  for (const [position, touch] of touches.entries()) {
    const { path, after: soon, afterAccess, movedFrom } = touch;
    const old = record.find(path);
    const sight = sights[position] ?? UNSEEN;
    const before = old?.change.before ?? (await keep(sight, { ...means, path }));
    first ??= old?.change.after ?? before;
    const place = placeOf(touch, old?.change);
    const change: FileChange = {
      path,
      ...(place !== undefined && { place }),
      before,
      after: withAccess((await soon?.()) ?? first, {
        ...accessOfSight(soon && sight),
        ...afterAccess,
      }),
      ...(old && { earlier: old.change.after }),
      ...(movedFrom !== undefined && !isMoveKnown && { movedFrom }),
    };
    changes.push({ index: old?.index ?? record.newIndex(), change });
  }
  return changes;
}

/** One that meant two places in one call, a link and what it leads to, has none that could be reported. */
function placeOf({ place }: Touch, old: FileChange | undefined): string | undefined {
  return old && old.place !== place ? undefined : place;
}

/** A write leaves a file its permissions and its owner, unless it says others. */
function withAccess(after: FileState, access: FileAccess): FileState {
  return after.kind === "file" ? { ...after, ...access } : after;
}

function accessOfSight(sight: Sight | undefined): FileAccess {
  return sight?.kind === "bytes" ? readAccess(sight) : {};
}

/** What nothing referred to before the record was written may have been cleared away as unused. */
export async function assureKept(
  changes: readonly NumberedChange[],
  { sights, objects }: Pick<NoteMeans, "sights" | "objects">,
): Promise<void> {
  for (const [position, { change }] of changes.entries()) {
    const [{ before }, sight] = [change, sights[position]];
    if (before.kind !== "file" || sight?.kind !== "bytes") continue;
    const isSeen = (await sight.hash()) === before.hash;
    if (isSeen && !(await objects.has(before.hash))) await objects.put(sight);
  }
}

async function keep(
  sight: Sight,
  { path, objects, added, fail }: NoteMeans & { readonly path: string },
): Promise<FileState> {
  if (sight.kind === "unkept") fail(describeUnkept(path, sight.reason), undefined);
  if (sight.kind !== "bytes") return sight;
  try {
    const hash = await objects.put(sight);
    added(sight.bytes.byteLength);
    return toKeptFile(sight, hash);
  } catch (error) {
    fail(describeUnkept(path, "not_stored", toToolError(error).message), error);
    return { kind: "unkept", reason: "not_stored" };
  }
}

export async function lookAtAll({ bridge, touches }: Change, maxBytes: number): Promise<Seen> {
  try {
    const sights: Sight[] = [];
    for (const { at } of touches) sights.push(await lookAt(bridge, { path: at, maxBytes }));
    return { sights };
  } catch (refusal) {
    return { refusal };
  }
}

export async function seeOld(
  old: OldFile | undefined,
  { maxFileBytes, required }: { readonly maxFileBytes: number; readonly required: boolean },
): Promise<Sight> {
  try {
    return await lookAtOld(old, maxFileBytes);
  } catch (refusal) {
    if (required) throw refusal;
    return UNSEEN;
  }
}

/** Only what has the same length is worth a hash. */
export async function isNoChange(
  [touch]: readonly Touch[],
  [sight]: readonly Sight[],
): Promise<boolean> {
  if (!touch?.after || sight?.kind !== "bytes") return false;
  if (touch.afterBytes !== sight.bytes.byteLength) return false;
  return isSameState(await touch.after(), await stateOfSeen(sight));
}

export function createCallRecord({ call, now, log }: CallRecordOptions): CallRecord {
  const known = new Map<string, NumberedChange>();
  let head: { readonly callKey: string; readonly call: RecordedCall } | undefined;
  let nextIndex = 0;

  return {
    find: (path) => known.get(path),
    knowsAny: (touches) => touches.some(({ path }) => known.has(path)),
    all: () => [...known.values()],
    newIndex: () => nextIndex++,
    async write(changes) {
      const made = head ?? { callKey: log.newKey(), call: { ...call, atMs: now() } };
      await log.write({ callKey: made.callKey, call: head ? undefined : made.call, changes });
      head = made;
      for (const numbered of changes) known.set(numbered.change.path, numbered);
    },
    async forget(changes) {
      for (const { change } of changes) known.delete(change.path);
      if (head === undefined) return;
      const isEmpty = known.size === 0;
      const indexes = changes.map(({ index }) => index);
      const { callKey, call: begun } = head;
      await log.forget({ callKey, indexes, call: isEmpty ? begun : undefined });
      if (isEmpty) head = undefined;
    },
  };
}
