// Mends the record of a change that failed: it must say what stands there now.

import { withFiles } from "../../../core/files/index.js";
import type { FsPath } from "../../../core/index.js";
import { type FileState, isSameState, seeFile } from "../file-state.js";
import type { NumberedChange } from "../records/change-log.js";
import type { FileChange } from "../records/rows.js";
import type { CallRecord } from "./call-record.js";
import type { Change, Recorders } from "./call-recorder.js";

export interface CorrectMeans extends Pick<Recorders, "objects"> {
  readonly record: CallRecord;
  readonly maxFileBytes: number;
  /** Runs work when nobody else is at the record. */
  inTurn(work: () => Promise<void>): Promise<void>;
}

/** First the files, then the record: a write that is noted takes them in this order, too. */
export async function correctRecord(change: Change, means: CorrectMeans): Promise<void> {
  const at = change.touches.map((touch) => toUnhurried(touch.at));
  await withFiles(change.bridge, at, (bridge) =>
    means.inTurn(() => correctInTurn({ ...change, bridge }, means)),
  );
}

async function correctInTurn(
  { bridge, touches, makeWatched }: Change,
  { record, objects, maxFileBytes }: CorrectMeans,
): Promise<void> {
  const dropped: NumberedChange[] = [];
  const changed: NumberedChange[] = [];
  for (const { at, path } of touches) {
    const numbered = record.find(path);
    if (!numbered) continue;
    const look = { path: toUnhurried(at), maxBytes: maxFileBytes };
    const now = await seeFile(bridge, look).catch(() => undefined);
    if (now === undefined) continue;
    const { change, index } = numbered;
    if (wasNotMade(change, now.state)) dropped.push(numbered);
    // A write is made or not: what else stands there came after its turn, by others.
    else if (!makeWatched) changed.push({ index, change: { ...change, after: now.state } });
  }
  for (const { change } of dropped) {
    // The file stays where it was, and others may write to it.
    if (change.before.kind === "file") await objects.detach(change.before.hash);
  }
  await record.forget(dropped);
  if (changed.length > 0) await record.write(changed);
}

/** Also when the caller has given up. */
function toUnhurried({ signal: _signal, ...at }: FsPath): FsPath {
  return at;
}

function wasNotMade({ before, earlier }: FileChange, now: FileState): boolean {
  if (earlier !== undefined) return false;
  return isSameState(now, before) || (now.kind === "unkept" && before.kind === "unkept");
}
