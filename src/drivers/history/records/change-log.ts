// What calls changed, in the store: a value for the call, one for each path, and one by which its id
// is found. All of them expire; that an id was known is remembered longer.

import {
  type Clock,
  isToolError,
  type KvEntry,
  type RandomSource,
  type RecordedCall,
  type Store,
  type StoreOperation,
} from "../../../core/index.js";
import { hashOf } from "../file-state.js";
import { type FileChange, parseCall, parseChange, parsePointer } from "./rows.js";

export const CALLS_SPACE = "undo.calls";
export const FILES_SPACE = "undo.files";
const IDS_SPACE = "undo.ids";
const REMEMBER_ID_MS = 30 * 24 * 60 * 60_000;
const SCOPE_CHARS = 16;
const RANDOM_BYTES = 4;
/** Keys count down, so that the newest comes first. */
const TIME_DIGITS = 12;
const COUNT_DIGITS = 6;
const PAGE = 1_000;

export interface FoundCall {
  /** Of two calls the later has the lesser key. */
  readonly callKey: string;
  readonly revision: number;
  readonly expiresAtMs: number | undefined;
  readonly call: RecordedCall;
}

export type Lookup =
  | { readonly status: "found"; readonly found: FoundCall }
  | { readonly status: "expired" }
  | { readonly status: "unknown" };

export interface NumberedChange {
  readonly index: number;
  readonly change: FileChange;
}

export interface ChangeLog {
  newKey(): string;
  /** Writes the call, when it is given, and the changes: all or nothing. */
  write(write: {
    readonly callKey: string;
    readonly call: RecordedCall | undefined;
    readonly changes: readonly NumberedChange[];
  }): Promise<void>;
  /** Takes changes back that were not made after all, and the call with them when it is given. */
  forget(write: {
    readonly callKey: string;
    readonly call: RecordedCall | undefined;
    readonly indexes: readonly number[];
  }): Promise<void>;
  find(toolCallId: string): Promise<Lookup>;
  changes(callKey: string): Promise<readonly FileChange[]>;
  /** Newest first. */
  list(limit: number): Promise<readonly FoundCall[]>;
  /** Whether it was still as it was found. */
  mark(found: FoundCall, undoneBy: string | undefined): Promise<boolean>;
}

export interface ChangeLogDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Calls of other scopes are not seen. */
  readonly scope: string;
  /** Further names of the scope, under which calls were recorded before. */
  readonly otherScopes?: readonly string[] | undefined;
  readonly maxAgeMs: number;
}

export function createChangeLog(deps: ChangeLogDeps): ChangeLog {
  const { store, clock, random, maxAgeMs } = deps;
  const scope = toPrefix(deps.scope);
  const scopes = [...new Set([scope, ...(deps.otherScopes ?? []).map(toPrefix)])];
  const idKey = (toolCallId: string, own = scope) => `${own}/${hashOf(toolCallId)}`;
  const newKey = createKeys({ clock, random, prefix: `${scope}/` });

  function putCall(callKey: string, call: RecordedCall): StoreOperation[] {
    const pointer = { callKey, expiresAtMs: clock.now() + maxAgeMs };
    return [
      { kind: "kv.put", space: CALLS_SPACE, key: callKey, value: call, ttlMs: maxAgeMs },
      {
        kind: "kv.put",
        space: IDS_SPACE,
        key: idKey(call.toolCallId),
        value: pointer,
        ttlMs: maxAgeMs + REMEMBER_ID_MS,
      },
    ];
  }

  return {
    newKey,
    async write({ callKey, call, changes }) {
      await store.transact([
        ...(call ? putCall(callKey, call) : []),
        ...changes.map(({ index, change }) => ({
          kind: "kv.put" as const,
          space: FILES_SPACE,
          key: fileKey(callKey, index),
          value: change,
          ttlMs: maxAgeMs,
        })),
      ]);
    },
    async forget({ callKey, call, indexes }) {
      const files = indexes.map((index) => ({ space: FILES_SPACE, key: fileKey(callKey, index) }));
      const ids = call ? [{ space: IDS_SPACE, key: idKey(call.toolCallId) }] : [];
      const calls = call ? [{ space: CALLS_SPACE, key: callKey }] : [];
      const places = [...files, ...ids, ...calls];
      for (let start = 0; start < places.length; start += PAGE) {
        const part = places.slice(start, start + PAGE);
        await store.transact(part.map((place) => ({ kind: "kv.delete" as const, ...place })));
      }
    },
    async find(toolCallId) {
      let wasKnown = false;
      for (const own of scopes) {
        const entry = await store.kv.get({ space: IDS_SPACE, key: idKey(toolCallId, own) });
        const pointer = entry && parsePointer(entry.value);
        if (!pointer) continue;
        const found = toFound(await store.kv.get({ space: CALLS_SPACE, key: pointer.callKey }));
        if (found) return { status: "found", found };
        wasKnown = true;
      }
      return { status: wasKnown ? "expired" : "unknown" };
    },
    async changes(callKey) {
      const found: FileChange[] = [];
      let after: string | undefined;
      do {
        const prefix = `${callKey}/`;
        const page = await store.kv.list({ space: FILES_SPACE, prefix, after, limit: PAGE });
        found.push(...page.entries.flatMap(({ value }) => parseChange(value) ?? []));
        after = page.next;
      } while (after !== undefined);
      return found;
    },
    async list(limit) {
      const found: FoundCall[] = [];
      for (const own of scopes) {
        const { entries } = await store.kv.list({ space: CALLS_SPACE, prefix: `${own}/`, limit });
        found.push(...entries.flatMap((entry) => toFound(entry) ?? []));
      }
      return found.sort((one, other) => (isLater(one, other) ? -1 : 1)).slice(0, limit);
    },
    async mark({ callKey, revision, expiresAtMs, call }, undoneBy) {
      const ttlMs = Math.max(1, (expiresAtMs ?? clock.now() + maxAgeMs) - clock.now());
      const place = { space: CALLS_SPACE, key: callKey, expectRevision: revision, ttlMs };
      try {
        await store.kv.put({ ...place, value: { ...call, undoneBy } });
        return true;
      } catch (error) {
        if (isToolError(error) && error.reason === "revision_mismatch") return false;
        throw error;
      }
    },
  };
}

/** Whether a call began after another; of one scope, or of two names of it. */
export function isLater(
  one: Pick<FoundCall, "callKey">,
  other: Pick<FoundCall, "callKey">,
): boolean {
  return timeOf(one.callKey) < timeOf(other.callKey);
}

/** Behind the scope. */
function timeOf(callKey: string): string {
  return callKey.slice(callKey.indexOf("/") + 1);
}

function toPrefix(scope: string): string {
  return hashOf(scope).slice(0, SCOPE_CHARS);
}

export function createKeys(source: {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly prefix: string;
}): () => string {
  const { clock, random, prefix } = source;
  let count = 0;
  return () => {
    const time = countDown(clock.now(), TIME_DIGITS);
    return `${prefix}${time}-${countDown(count++, COUNT_DIGITS)}-${random.hex(RANDOM_BYTES)}`;
  };
}

function toFound(entry: KvEntry | undefined): FoundCall | undefined {
  const call = entry && parseCall(entry.value);
  if (!call) return undefined;
  return { callKey: entry.key, revision: entry.revision, expiresAtMs: entry.expiresAtMs, call };
}

function fileKey(callKey: string, index: number): string {
  return `${callKey}/${index.toString().padStart(COUNT_DIGITS, "0")}`;
}

function countDown(value: number, digits: number): string {
  const largest = 16 ** digits - 1;
  return Math.max(0, largest - value)
    .toString(16)
    .padStart(digits, "0");
}
