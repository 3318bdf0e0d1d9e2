// The changes that a call is about to make, as they are written down: the old content of each path is
// put away, the first time it is touched.

import { type FileAccess, readAccess } from "../../../core/files/index.js";
import { type HistoryProblem, toToolError } from "../../../core/index.js";
import { type FileState, type Sight, toKeptFile } from "../file-state.js";
import { describeUnkept } from "../problems.js";
import type { FileChange, NumberedChange } from "../records/rows.js";
import type { CallRecord } from "./call-record.js";
import type { Recorders, Touch } from "./call-recorder.js";
import { UNSEEN } from "./look.js";

export interface NoteMeans extends Pick<Recorders, "objects" | "added"> {
  /** One for each touch. */
  readonly sights: readonly Sight[];
  readonly record: CallRecord;
  /** Throws where the old content must be kept. */
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

/** One that meant two places in one call, a link and what it leads to, has none that could be told. */
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

/** Puts the old content away; what cannot be kept is said in the record. */
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
