// What calls changed, in the store: a value for the call, with the first change that was written of
// it, one for each further path, and one that leads from the id to the call. All of them expire.
import {
  type Clock,
  isToolError,
  type KvEntry,
  type RandomSource,
  type RecordedCall,
  type Store,
  type StoreOperation,
} from "../../../core/index.js";
import { readText } from "../../../lib/read-field.js";
import { callExpired, callIdInvalid, callUnknown } from "../errors.js";
import { hashOf, isSameState } from "../file-state.js";
import {
  type FileChange,
  type NumberedChange,
  parseCall,
  parseChange,
  parseFirst,
} from "./rows.js";

export const CALLS_SPACE = "undo.calls";
export const FILES_SPACE = "undo.files";
const IDS_SPACE = "undo.ids";
const SCOPE_CHARS = 16;
const RANDOM_BYTES = 4;
const TIME_DIGITS = 12;
const COUNT_DIGITS = 6;
const PAGE = 1_000;
/** An id outlives its call by this, so that an undo can say that it has expired. */
const REMEMBER_ID_MS = 30 * 24 * 60 * 60_000;

export interface FoundCall {
  readonly callKey: string;
  readonly revision: number;
  readonly expiresAtMs: number | undefined;
  readonly call: RecordedCall;
  /** The change that was written with it; of an older record none. */
  readonly first?: NumberedChange | undefined;
}

export type Lookup =
  | { readonly status: "found"; readonly found: FoundCall }
  | { readonly status: "expired" }
  | { readonly status: "unknown" };

interface ChangeWrite {
  readonly callKey: string;
  readonly changes: readonly NumberedChange[];
}

export interface ChangeLog {
  newKey(): string;
  write(write: ChangeWrite & { readonly call: RecordedCall | undefined }): Promise<void>;
  forget(write: {
    readonly callKey: string;
    readonly call: RecordedCall | undefined;
    readonly indexes: readonly number[];
  }): Promise<void>;
  find(toolCallId: string): Promise<Lookup>;
  changes(found: FoundCall): Promise<readonly FileChange[]>;
  list(limit: number): Promise<readonly FoundCall[]>;
  mark(found: FoundCall, undoneBy: string | undefined): Promise<boolean>;
}

export interface ChangeLogDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly scope: string;
  readonly otherScopes?: readonly string[] | undefined;
  readonly maxAgeMs: number;
}

export function createChangeLog(deps: ChangeLogDeps): ChangeLog {
  const { store, clock, random, maxAgeMs } = deps;
  const scope = toPrefix(deps.scope);
  const scopes = [...new Set([scope, ...(deps.otherScopes ?? []).map(toPrefix)])];
  const newKey = createKeys({ clock, random, prefix: `${scope}/` });
  const idPlace = (toolCallId: string, own = scope) => ({
    space: IDS_SPACE,
    key: `${own}/${hashOf(toolCallId)}`,
  });

  function putCall(call: RecordedCall, write: ChangeWrite): StoreOperation[] {
    const { callKey, changes } = write;
    const [first, ...others] = changes;
    const value = { ...call, ...(first && { first }) };
    return [
      { kind: "kv.put", space: CALLS_SPACE, key: callKey, value, ttlMs: maxAgeMs },
      {
        kind: "kv.put",
        ...idPlace(call.toolCallId),
        value: { callKey },
        ttlMs: maxAgeMs + REMEMBER_ID_MS,
      },
      ...putChanges({ callKey, changes: others }),
    ];
  }

  function putChanges({ callKey, changes }: ChangeWrite): StoreOperation[] {
    return changes.map(({ index, change }) => ({
      kind: "kv.put",
      space: FILES_SPACE,
      key: fileKey(callKey, index),
      value: change,
      ttlMs: maxAgeMs,
    }));
  }

  const ttlOf = ({ expiresAtMs }: FoundCall) =>
    Math.max(1, (expiresAtMs ?? clock.now() + maxAgeMs) - clock.now());

  const readCall = async (callKey: string) =>
    toFound(await store.kv.get({ space: CALLS_SPACE, key: callKey }));

  /** A call that stays may hold one of the changes itself. */
  async function withoutFirst(callKey: string, indexes: readonly number[]) {
    const found = await readCall(callKey);
    if (!found?.first || !indexes.includes(found.first.index)) return [];
    const place = { space: CALLS_SPACE, key: callKey, expectRevision: found.revision };
    return [{ kind: "kv.put" as const, ...place, value: found.call, ttlMs: ttlOf(found) }];
  }

  return {
    newKey,
    async write({ call, ...write }) {
      await store.transact(call ? putCall(call, write) : putChanges(write));
    },
    async forget({ callKey, call, indexes }) {
      const files = indexes.map((index) => ({ space: FILES_SPACE, key: fileKey(callKey, index) }));
      const calls = call ? [{ space: CALLS_SPACE, key: callKey }, idPlace(call.toolCallId)] : [];
      const operations: StoreOperation[] = [
        ...[...files, ...calls].map((place) => ({ kind: "kv.delete" as const, ...place })),
        ...(call ? [] : await withoutFirst(callKey, indexes)),
      ];
      for (let start = 0; start < operations.length; start += PAGE) {
        await store.transact(operations.slice(start, start + PAGE));
      }
    },
    async find(toolCallId) {
      let wasKnown = false;
      for (const own of scopes) {
        const pointer = await store.kv.get(idPlace(toolCallId, own));
        const callKey = readText(pointer?.value, "callKey");
        const found = callKey === undefined ? undefined : await readCall(callKey);
        if (found) return { status: "found", found };
        wasKnown ||= callKey !== undefined;
      }
      return { status: wasKnown ? "expired" : "unknown" };
    },
    async changes({ callKey, first }) {
      const found = new Map<string, FileChange>();
      if (first) found.set(fileKey(callKey, first.index), first.change);
      let after: string | undefined;
      do {
        const prefix = `${callKey}/`;
        const page = await store.kv.list({ space: FILES_SPACE, prefix, after, limit: PAGE });
        for (const { key, value } of page.entries) {
          const change = parseChange(value);
          if (change) found.set(key, change);
        }
        after = page.next;
      } while (after !== undefined);
      return [...found.values()];
    },
    async list(limit) {
      const found: FoundCall[] = [];
      for (const own of scopes) {
        const { entries } = await store.kv.list({ space: CALLS_SPACE, prefix: `${own}/`, limit });
        found.push(...entries.flatMap((entry) => toFound(entry) ?? []));
      }
      return found.sort((one, other) => (isLater(one, other) ? -1 : 1)).slice(0, limit);
    },
    async mark(found, undoneBy) {
      const { callKey, revision, call, first } = found;
      const place = { space: CALLS_SPACE, key: callKey, expectRevision: revision };
      try {
        await store.kv.put({ ...place, value: { ...call, undoneBy, first }, ttlMs: ttlOf(found) });
        return true;
      } catch (error) {
        if (isToolError(error) && error.reason === "revision_mismatch") return false;
        throw error;
      }
    },
  };
}

export function isLater(
  one: Pick<FoundCall, "callKey">,
  other: Pick<FoundCall, "callKey">,
): boolean {
  return timeOf(one.callKey) < timeOf(other.callKey);
}

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
  const { key: callKey, revision, expiresAtMs } = entry;
  return { callKey, revision, expiresAtMs, call, first: parseFirst(entry.value) };
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

const LATEST_IDS = 5;

export async function findCall(log: ChangeLog, toolCallId: unknown): Promise<FoundCall> {
  if (typeof toolCallId !== "string" || toolCallId === "") throw callIdInvalid();
  const lookup = await log.find(toolCallId);
  if (lookup.status === "found") return lookup.found;
  if (lookup.status === "expired") throw callExpired(toolCallId);
  const latest = await log.list(LATEST_IDS);
  throw callUnknown(
    toolCallId,
    latest.map(({ call }) => call.toolCallId),
  );
}

export async function findChanges(log: ChangeLog, found: FoundCall): Promise<FileChange[]> {
  const changes = await log.changes(found);
  return changes.filter(({ before, after }) => !isSameState(before, after));
}
