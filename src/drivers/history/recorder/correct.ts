// Mends the record of a change that failed: it must say what stands there now.

import { type FileState, isSameState, seeFile } from "../file-state.js";
import type { FileChange, NumberedChange } from "../records/rows.js";
import type { CallRecord } from "./call-record.js";
import type { Change, Recorders } from "./call-recorder.js";

export interface CorrectMeans extends Pick<Recorders, "objects"> {
  readonly record: CallRecord;
  readonly maxFileBytes: number;
}

export async function correctRecord(
  { bridge, touches }: Change,
  { record, objects, maxFileBytes }: CorrectMeans,
): Promise<void> {
  const dropped: NumberedChange[] = [];
  const changed: NumberedChange[] = [];
  for (const { at, path } of touches) {
    const numbered = record.find(path);
    if (!numbered) continue;
    const { signal: _signal, ...unhurried } = at;
    const look = { path: unhurried, maxBytes: maxFileBytes };
    const now = await seeFile(bridge, look).catch(() => undefined);
    if (now === undefined) continue;
    const { change, index } = numbered;
    if (wasNotMade(change, now.state)) dropped.push(numbered);
    else changed.push({ index, change: { ...change, after: now.state } });
  }
  for (const { change } of dropped) {
    // The file stays where it was, and others may write to it.
    if (change.before.kind === "file") await objects.detach(change.before.hash);
  }
  await record.forget(dropped);
  if (changed.length > 0) await record.write(changed);
}

function wasNotMade({ before, earlier }: FileChange, now: FileState): boolean {
  if (earlier !== undefined) return false;
  return isSameState(now, before) || (now.kind === "unkept" && before.kind === "unkept");
}
