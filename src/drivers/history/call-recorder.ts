// What one call changes, written down before it is done: the old content of each path, once, and
// what the call is about to make of it. So nothing has to be written behind a change that worked,
// and a process that is killed at any moment leaves a record by which it can be taken back.

import type { LookAtOld, OldFile } from "../../core/files/index.js";
import {
  type ChangedCall,
  type FsBridge,
  type FsPath,
  type HistoryProblem,
  toToolError,
} from "../../core/index.js";
import {
  type FileState,
  isSameState,
  lookAt,
  lookAtOld,
  type Sight,
  seeFile,
  stateOfSeen,
} from "./file-state.js";
import type { Objects } from "./objects.js";
import { describeUnkept, describeUnrecorded, isRefusal, notKept } from "./problems.js";
import type { ChangeLog, NumberedChange } from "./records/change-log.js";
import type { FileChange } from "./records/rows.js";

const UNSEEN = { kind: "unkept", reason: "not_readable" } as const;

export interface Recorders {
  readonly log: ChangeLog;
  readonly objects: Objects;
  /** Told how many bytes were added. */
  readonly added: (bytes: number) => void;
}

export interface RecorderOptions {
  readonly call: Omit<ChangedCall, "atMs">;
  readonly now: () => number;
  /** Opened at the first change. */
  readonly open: () => Promise<Recorders>;
  readonly maxFileBytes: number;
  /** A change whose past cannot be kept is refused; otherwise it is made, and is a problem. */
  readonly required: boolean;
}

export interface Touch {
  readonly at: FsPath;
  /** As it is stored and shown. */
  readonly path: string;
  /** What will stand there; without it what stands at the first of the touched paths. */
  readonly after?: (() => Promise<FileState>) | undefined;
  /** How much will stand there, where that is known before `after` is. */
  readonly afterBytes?: number | undefined;
  readonly movedFrom?: string | undefined;
}

export interface Change {
  readonly bridge: FsBridge;
  readonly touches: readonly Touch[];
  readonly make: () => Promise<void>;
  /** For one path: makes the change and shows what it replaces meanwhile. */
  readonly makeWatched?: ((look: LookAtOld) => Promise<void>) | undefined;
}

export interface CallRecorder {
  change(change: Change): Promise<void>;
  problems(): readonly HistoryProblem[];
  hasChanges(): boolean;
  /** Forgets the record of a call that changed nothing in the end. Never throws. */
  end(): Promise<void>;
}

export function createCallRecorder(options: RecorderOptions): CallRecorder {
  const { call, open, maxFileBytes, required } = options;
  /** By path, in the order in which they were first touched. */
  const known = new Map<string, NumberedChange>();
  const problems: HistoryProblem[] = [];
  let record: { readonly key: string; readonly call: ChangedCall } | undefined;
  let nextIndex = 0;
  let last: Promise<unknown> = Promise.resolve();

  /** A tool may change several files at once, and all of them belong to one record. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = last.then(work, work);
    last = run.catch(() => undefined);
    return run;
  }

  function fail(problem: HistoryProblem, cause: unknown): void {
    if (required) throw notKept(problem, cause);
    problems.push(problem);
  }

  const knowsAny = (touches: readonly Touch[]) => touches.some(({ path }) => known.has(path));

  /** Puts the old content away; what cannot be kept is said in the record. */
  async function keep(path: string, { sight, objects, added }: Recorders & { sight: Sight }) {
    if (sight.kind === "unkept") fail(describeUnkept(path, sight.reason), undefined);
    if (sight.kind !== "bytes") return sight;
    const bytes = sight.bytes.byteLength;
    try {
      const hash = await objects.put(sight);
      added(bytes);
      return { kind: "file", hash, bytes } as const;
    } catch (error) {
      fail(describeUnkept(path, "not_stored", toToolError(error).message), error);
      return { kind: "unkept", reason: "not_stored" } as const;
    }
  }

  async function describe(
    touches: readonly Touch[],
    { sights, recorders }: { sights: readonly Sight[]; recorders: Recorders },
  ): Promise<NumberedChange[]> {
    const changes: NumberedChange[] = [];
    // What else was done to a moved file would be lost by moving it back.
    const isMoveKnown = knowsAny(touches);
    let first: FileState | undefined;
    for (const [position, { path, after: soon, movedFrom }] of touches.entries()) {
      const old = known.get(path);
      const sight = sights[position] ?? UNSEEN;
      const before = old?.change.before ?? (await keep(path, { ...recorders, sight }));
      first ??= old?.change.after ?? before;
      const change: FileChange = {
        path,
        before,
        after: (await soon?.()) ?? first,
        ...(old && { earlier: old.change.after }),
        ...(movedFrom !== undefined && !isMoveKnown && { movedFrom }),
      };
      changes.push({ index: old?.index ?? nextIndex++, change });
    }
    return changes;
  }

  async function write({ log }: Recorders, changes: readonly NumberedChange[]): Promise<void> {
    const made = record ?? { key: log.newKey(), call: { ...call, atMs: options.now() } };
    const head = record ? undefined : made.call;
    await log.write({ callKey: made.key, call: head, changes });
    record = made;
    for (const numbered of changes) known.set(numbered.change.path, numbered);
  }

  /** The change failed: what is written down must say what stands there now. */
  async function correct({ bridge, touches }: Change, recorders: Recorders): Promise<void> {
    const dropped: NumberedChange[] = [];
    const changed: NumberedChange[] = [];
    for (const { at, path } of touches) {
      const numbered = known.get(path);
      if (!numbered) continue;
      const { signal: _signal, ...unhurried } = at;
      const now = await seeFile(bridge, { path: unhurried, maxBytes: maxFileBytes }).catch(
        () => undefined,
      );
      if (now === undefined) continue;
      const { change, index } = numbered;
      const isFresh = change.earlier === undefined;
      const isAsBefore =
        isSameState(now.state, change.before) ||
        (now.state.kind === "unkept" && change.before.kind === "unkept");
      if (isFresh && isAsBefore) dropped.push(numbered);
      else changed.push({ index, change: { ...change, after: now.state } });
    }
    for (const { change } of dropped) {
      known.delete(change.path);
      // The file stays where it was, and others may write to it.
      if (change.before.kind === "file") await recorders.objects.detach(change.before.hash);
    }
    if (record === undefined) return;
    const { key: callKey } = record;
    const isEmpty = known.size === 0;
    const indexes = dropped.map(({ index }) => index);
    await recorders.log.forget({ callKey, indexes, call: isEmpty ? record.call : undefined });
    if (isEmpty) record = undefined;
    if (changed.length > 0) await write(recorders, changed);
  }

  /** Whether it is written down; otherwise why not is a problem. */
  async function note(change: Change, sights: readonly Sight[]): Promise<Recorders | undefined> {
    try {
      const recorders = await open();
      return await inTurn(async () => {
        const changes = await describe(change.touches, { sights, recorders });
        await write(recorders, changes);
        return recorders;
      });
    } catch (error) {
      if (isRefusal(error)) throw error;
      fail(describeUnrecorded(error), error);
      return undefined;
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

  /** `work` notes a change and makes it; when it fails, what was noted is mended. */
  async function run(
    change: Change,
    work: (noted: (by: Recorders | undefined) => void) => Promise<void>,
  ): Promise<void> {
    const problemsBefore = problems.length;
    const used: { recorders?: Recorders | undefined } = {};
    try {
      await work((recorders) => {
        used.recorders = recorders;
      });
    } catch (error) {
      problems.length = Math.min(problems.length, problemsBefore);
      const { recorders } = used;
      // Why the change failed is worth more than why the record could not be mended.
      if (recorders) await inTurn(() => correct(change, recorders)).catch(() => undefined);
      throw error;
    }
  }

  async function seeOld(old: OldFile | undefined): Promise<Sight> {
    try {
      return await lookAtOld(old, maxFileBytes);
    } catch (refusal) {
      if (required) throw refusal;
      return UNSEEN;
    }
  }

  const isToBeNoted = async (change: Change, sights: readonly Sight[]) =>
    knowsAny(change.touches) || !(await isNoChange(change.touches, sights));

  return {
    async change(change) {
      const { makeWatched } = change;
      if (makeWatched) {
        return run(change, (noted) =>
          makeWatched(async (old) => {
            const sights = [await seeOld(old)];
            // Begun now, so that it is ready when the old content is put away.
            for (const { after } of change.touches) void after?.();
            if (await isToBeNoted(change, sights)) noted(await note(change, sights));
          }),
        );
      }
      const seen = await lookAtAll(change, maxFileBytes);
      if ("refusal" in seen) return changeUnseen(change, seen.refusal);
      if (!(await isToBeNoted(change, seen.sights))) return change.make();
      return run(change, async (noted) => {
        noted(await note(change, seen.sights));
        await change.make();
      });
    },
    problems: () => [...problems],
    hasChanges: () => known.size > 0 || problems.length > 0,
    async end() {
      const changes = [...known.values()];
      const isNothing = changes.every(({ change }) => isSameState(change.before, change.after));
      if (record === undefined || !isNothing) return;
      const indexes = changes.map(({ index }) => index);
      const { key: callKey, call: ended } = record;
      known.clear();
      record = undefined;
      // A record that says nothing is in nobody's way, and expires.
      await open()
        .then(({ log }) => log.forget({ callKey, indexes, call: ended }))
        .catch(() => undefined);
    },
  };
}

type Seen = { readonly sights: readonly Sight[] } | { readonly refusal: unknown };

async function lookAtAll({ bridge, touches }: Change, maxBytes: number): Promise<Seen> {
  try {
    const sights: Sight[] = [];
    for (const { at } of touches) sights.push(await lookAt(bridge, { path: at, maxBytes }));
    return { sights };
  } catch (refusal) {
    return { refusal };
  }
}

/** Only what has the same length is worth a hash. */
async function isNoChange([touch]: readonly Touch[], [sight]: readonly Sight[]): Promise<boolean> {
  if (!touch?.after || sight?.kind !== "bytes") return false;
  if (touch.afterBytes !== sight.bytes.byteLength) return false;
  return isSameState(await touch.after(), await stateOfSeen(sight));
}
