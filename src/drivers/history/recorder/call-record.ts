// The record of one call under way: what is known of it so far, and the same in the log.

import type { RecordedCall } from "../../../core/index.js";
import type { ChangeLog } from "../records/change-log.js";
import type { NumberedChange } from "../records/rows.js";

export interface CallRecord {
  find(path: string): NumberedChange | undefined;
  knowsAny(touches: readonly { readonly path: string }[]): boolean;
  /** In the order in which the paths were first touched. */
  all(): readonly NumberedChange[];
  /** For a path that is touched for the first time. */
  newIndex(): number;
  write(changes: readonly NumberedChange[]): Promise<void>;
  /** The call itself goes with its last change. */
  forget(changes: readonly NumberedChange[]): Promise<void>;
}

export interface CallRecordOptions {
  readonly call: Omit<RecordedCall, "atMs">;
  readonly now: () => number;
  readonly log: Pick<ChangeLog, "newKey" | "write" | "forget">;
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
