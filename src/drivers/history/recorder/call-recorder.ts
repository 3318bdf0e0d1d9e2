// What one call changes, written down before it is done: the old content of each path, once, and
// what the call is about to make of it. So nothing has to be written behind a change that worked,
// and a process that is killed at any moment leaves a record by which it can be taken back.

import { dirname } from "node:path";
import type { FileAccess, WriteWatch } from "../../../core/files/index.js";
import type { FsBridge, FsPath, HistoryProblem, RecordedCall } from "../../../core/index.js";
import { describeUnrecorded, isRefusal, notKept } from "../errors.js";
import { type FileState, isSameState, type Sight, seeFile } from "../file-state.js";
import type { Gate } from "../join-history.js";
import type { Objects } from "../objects.js";
import type { ChangeLog } from "../records/change-log.js";
import type { FileChange, NumberedChange } from "../records/rows.js";
import {
  assureKept,
  type CallRecord,
  createCallRecord,
  describeTouches,
  isNoChange,
  lookAtAll,
  seeOld,
  UNSEEN,
} from "./note.js";

export interface Recorders {
  readonly log: ChangeLog;
  readonly objects: Objects;
  readonly added: (bytes: number) => void;
}

export interface RecorderOptions {
  readonly call: Omit<RecordedCall, "atMs">;
  readonly now: () => number;
  readonly recorders: Recorders;
  readonly maxFileBytes: number;
  readonly required: boolean;
  readonly toPlace: (realPath: string) => string;
  readonly enter?: ((folder: string) => Promise<void>) | undefined;
  readonly gate: Gate;
}

export interface Touch {
  readonly at: FsPath;
  readonly path: string;
  readonly place?: string | undefined;
  readonly after?: (() => Promise<FileState>) | undefined;
  readonly afterBytes?: number | undefined;
  readonly afterAccess?: FileAccess | undefined;
  readonly movedFrom?: string | undefined;
}

export interface Change {
  readonly bridge: FsBridge;
  readonly touches: readonly Touch[];
  readonly make: () => Promise<void>;
  readonly makeWatched?: ((watch: WriteWatch) => Promise<void>) | undefined;
}

export interface CallRecorder {
  change(change: Change): Promise<void>;
  problems(): readonly HistoryProblem[];
  hasChanges(): boolean;
  end(): Promise<void>;
}

type Noted = "noted" | "unnoted";

interface Attempt {
  noted: Noted;
  problemsBefore: number;
}

export function createCallRecorder(options: RecorderOptions): CallRecorder {
  const { call, now, recorders, maxFileBytes, required, toPlace, enter, gate } = options;
  const record = createCallRecord({ call, now, log: recorders.log });
  const problems: HistoryProblem[] = [];
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = last.then(work, work);
    last = run.catch(() => undefined);
    return run;
  }

  function fail(problem: HistoryProblem, cause: unknown): void {
    if (required) throw notKept(problem, cause);
    problems.push(problem);
  }

  async function note({ touches }: Change, sights: readonly Sight[]): Promise<Noted> {
    try {
      await inTurn(async () => {
        const changes = await describeTouches(touches, { ...recorders, sights, record, fail });
        // Both are in one transaction then. Why it stays shut is reported to anyone who waits for it.
        gate.pass()?.catch(() => undefined);
        await record.write(changes);
        await assureKept(changes, { ...recorders, sights });
      });
      return "noted";
    } catch (error) {
      if (isRefusal(error)) throw error;
      fail(describeUnrecorded(error), error);
      return "unnoted";
    }
  }

  /** The bridge will refuse the change as it refused the look; if not, that cannot be undone. */
  async function changeUnseen(change: Change, refusal: unknown): Promise<void> {
    if (required) throw refusal;
    await change.make();
    await note(
      change,
      change.touches.map(() => UNSEEN),
    );
  }

  async function dropFailed(change: Change, { noted, problemsBefore }: Attempt): Promise<void> {
    problems.length = Math.min(problems.length, problemsBefore);
    if (noted === "unnoted") return;
    const correct = () => correctRecord(change, { ...recorders, record, maxFileBytes });
    // Why the change failed is worth more than why the record could not be fixed.
    await inTurn(correct).catch(() => undefined);
  }

  async function enterAll({ touches }: Change): Promise<void> {
    for (const { path } of touches) await enter?.(dirname(path));
  }

  const isToBeNoted = async ({ touches }: Change, sights: readonly Sight[]) =>
    record.knowsAny(touches) || !(await isNoChange(touches, sights));

  return {
    async change(change) {
      const attempt: Attempt = { noted: "unnoted", problemsBefore: problems.length };
      const { makeWatched } = change;
      if (makeWatched) {
        return makeWatched({
          async judge() {
            attempt.problemsBefore = problems.length;
            await enterAll(change);
            return true;
          },
          async look(old, realPath) {
            const place = toPlace(realPath);
            const placed = change.touches.map((touch) => ({ ...touch, place }));
            const sights = [await seeOld(old, { maxFileBytes, required })];
            // Begun now, so that it is ready when the old content is put away.
            for (const { after } of change.touches) void after?.();
            if (await isToBeNoted(change, sights)) {
              attempt.noted = await note({ ...change, touches: placed }, sights);
            }
          },
          failed: (bridge) => dropFailed({ ...change, bridge }, attempt),
        });
      }
      await enterAll(change);
      const seen = await lookAtAll(change, maxFileBytes);
      if ("refusal" in seen) return changeUnseen(change, seen.refusal);
      if (!(await isToBeNoted(change, seen.sights))) return change.make();
      try {
        attempt.noted = await note(change, seen.sights);
        await change.make();
      } catch (error) {
        await dropFailed(change, attempt);
        throw error;
      }
    },
    problems: () => [...problems],
    hasChanges: () => record.all().length > 0 || problems.length > 0,
    async end() {
      const changes = record.all();
      if (!changes.every(({ change }) => isSameState(change.before, change.after))) return;
      // A record that says nothing is in no one's way, and expires.
      await record.forget(changes).catch(() => undefined);
    },
  };
}

interface CorrectMeans extends Pick<Recorders, "objects"> {
  readonly record: CallRecord;
  readonly maxFileBytes: number;
}

async function correctRecord(
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
