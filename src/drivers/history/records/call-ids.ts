// By which id a call is found: a pointer to its record, and that the id was known when the record is
// gone. Pointers are written behind the answers, many at once; a call whose process was killed before
// is found among the newest calls, by others.

import type { Clock, Store, StoreOperation } from "../../../core/index.js";
import { hashOf } from "../file-state.js";
import { type CallPointer, parsePointer } from "./rows.js";

const IDS_SPACE = "undo.ids";
const REMEMBER_ID_MS = 30 * 24 * 60 * 60_000;
/** A pointer waits that long for others. */
const WRITE_WITHIN_MS = 100;
const IDS_PER_WRITE = 200;
/** While none can be written; of more the oldest are left to who looks at the calls. */
const MAX_WAITING = 10_000;

export interface CallId {
  readonly toolCallId: string;
  readonly callKey: string;
}

export interface CallIds {
  /** The call has been recorded. */
  add(id: CallId): void;
  /** What takes it back, for the transaction in which the call goes. */
  forget(id: CallId): StoreOperation[];
  /** Where the call of this id is, or lay; undefined when no pointer says it. */
  find(toolCallId: string, scope: string): Promise<string | undefined>;
  /** Writes what waits. Never throws. The store stays open. */
  close(): Promise<void>;
}

export interface CallIdsDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** As it is in keys. */
  readonly scope: string;
  readonly maxAgeMs: number;
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
}

export function createCallIds(deps: CallIdsDeps): CallIds {
  const { store, clock, maxAgeMs } = deps;
  const waiting = new Map<string, CallPointer>();
  let cancel: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();

  const placeOf = (toolCallId: string, scope = deps.scope) => ({
    space: IDS_SPACE,
    key: `${scope}/${hashOf(toolCallId)}`,
  });

  function writeSoon(): void {
    cancel ??= clock.after(WRITE_WITHIN_MS, () => {
      cancel = undefined;
      void writeWaiting();
    });
  }

  function writeWaiting(): Promise<void> {
    writing = writing.then(writeAll);
    return writing;
  }

  /** What cannot be written waits for the next one. */
  async function writeAll(): Promise<void> {
    try {
      while (waiting.size > 0) await writePart([...waiting].slice(0, IDS_PER_WRITE));
    } catch (cause) {
      deps.report({ message: "Ids of calls could not be written for undo yet.", cause });
    }
  }

  async function writePart(part: readonly [string, CallPointer][]): Promise<void> {
    await store.transact(
      part.map(([toolCallId, value]) => ({
        ...{ kind: "kv.put" as const, value, ...placeOf(toolCallId) },
        ttlMs: Math.max(1, value.expiresAtMs + REMEMBER_ID_MS - clock.now()),
      })),
    );
    for (const [toolCallId, pointer] of part) {
      if (waiting.get(toolCallId) === pointer) waiting.delete(toolCallId);
    }
  }

  return {
    add({ toolCallId, callKey }) {
      waiting.delete(toolCallId);
      waiting.set(toolCallId, { callKey, expiresAtMs: clock.now() + maxAgeMs });
      const [oldest] = waiting.keys();
      if (waiting.size > MAX_WAITING && oldest !== undefined) waiting.delete(oldest);
      writeSoon();
    },
    forget({ toolCallId, callKey }) {
      if (waiting.get(toolCallId)?.callKey === callKey) waiting.delete(toolCallId);
      return [{ kind: "kv.delete", ...placeOf(toolCallId) }];
    },
    async find(toolCallId, scope) {
      const own = scope === deps.scope ? waiting.get(toolCallId) : undefined;
      if (own) return own.callKey;
      const entry = await store.kv.get(placeOf(toolCallId, scope));
      return entry && parsePointer(entry.value)?.callKey;
    },
    async close() {
      cancel?.();
      cancel = undefined;
      await writeWaiting();
    },
  };
}
