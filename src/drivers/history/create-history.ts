// The history of a folder: old content in files, records in the store, so that both outlive the
// process. Touches neither before the first change or question.
import { type Clock, isToolError, type KvEntry, type Store } from "../../core/index.js";
import {
  DEFAULT_LIMITS,
  type HistoryLimits,
  MIN_RECORDING_MS,
  MIN_UNUSED_AGE_MS,
  PRUNE_PART,
  readLimits,
} from "./errors.js";
import { type FileHistory, type HistoryPlace, joinHistory } from "./join-history.js";
import { createObjects, type StoredObject, type StoredObjects } from "./objects.js";
import { CALLS_SPACE, createChangeLog, FILES_SPACE } from "./records/change-log.js";
import { type FileChange, parseCall, parseChange, parseFirst } from "./records/rows.js";

const HOLDER_BYTES = 8;

export interface HistoryOptions extends HistoryPlace {
  readonly folder: string;
  readonly store: Store;
  /** Calls of another scope are not seen; default `root`. */
  readonly scope?: string | undefined;
  /** Further names of it, under which calls were recorded before. */
  readonly otherScopes?: readonly string[] | undefined;
  readonly limits?: Partial<HistoryLimits> | undefined;
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
}

export function createHistory(options: HistoryOptions): FileHistory {
  const { store, clock, random, root, otherScopes, report } = options;
  const limits = readLimits(options.limits, DEFAULT_LIMITS);
  const objects = createObjects({ folder: options.folder, random });
  const { maxAgeMs, maxFileBytes, maxTotalBytes } = limits;
  const scope = options.scope ?? root;
  const log = createChangeLog({ store, clock, random, scope, otherScopes, maxAgeMs });
  let addedBytes = Number.POSITIVE_INFINITY;
  let pruning: Promise<void> | undefined;

  const pruneNow = () =>
    prune({ store, objects, clock, limits, holder: `undo ${random.hex(HOLDER_BYTES)}` });

  const isDue = () => addedBytes > maxTotalBytes / PRUNE_PART;

  async function pruneWhileDue(): Promise<void> {
    try {
      while (isDue()) {
        addedBytes = 0;
        await pruneNow();
      }
    } catch (cause) {
      const why = isToolError(cause) ? `: ${cause.message}` : ".";
      report({ message: `Old content could not be cleared away${why}`, cause });
    } finally {
      pruning = undefined;
    }
  }

  function added(bytes: number): void {
    addedBytes += bytes;
    if (isDue()) pruning ??= pruneWhileDue();
  }

  return {
    ...joinHistory({ ...options, log, objects, added, maxFileBytes }),
    prune: pruneNow,
    close: async () => pruning,
  };
}

const LEASE = "undo.prune";
const LEASE_MS = 60_000;
const PAGE = 1_000;

interface PruneParts {
  readonly store: Store;
  readonly objects: StoredObjects;
  readonly clock: Clock;
  readonly limits: HistoryLimits;
  readonly holder: string;
}

type ListedObject = StoredObject & { readonly file: string };

async function prune(parts: PruneParts): Promise<number | undefined> {
  const { store, holder } = parts;
  const lease = await store.lease
    .acquire({ name: LEASE, holder, ttlMs: LEASE_MS })
    .catch((error: unknown) => {
      if (isToolError(error) && error.reason === "lease_held") return undefined;
      throw error;
    });
  if (!lease) return undefined;
  try {
    return await pruneAlone(parts);
  } finally {
    await store.lease.release({ name: LEASE, token: lease.token });
  }
}

async function pruneAlone(parts: PruneParts): Promise<number> {
  const { store, limits, clock } = parts;
  const users = await readUsers(store);
  const { used, unused, totalBytes } = await sortObjects(parts, users);
  const minAgeMs = totalBytes > limits.maxTotalBytes ? MIN_RECORDING_MS : MIN_UNUSED_AGE_MS;
  const doomed = unused.filter(({ touchedAtMs }) => clock.now() - touchedAtMs > minAgeMs);
  let usedBytes = sumBytes(used.values());
  for (const callKey of oldestFirst(users)) {
    if (usedBytes <= limits.maxTotalBytes) break;
    await forgetCall(store, callKey);
    for (const hash of users.byCall.get(callKey) ?? []) {
      const callers = users.byHash.get(hash);
      callers?.delete(callKey);
      const object = used.get(hash);
      if (!object || (callers?.size ?? 0) > 0) continue;
      usedBytes -= object.bytes;
      doomed.push(object);
    }
  }
  return totalBytes - (await removeUnused(parts, doomed));
}

interface Sorted {
  readonly used: ReadonlyMap<string, ListedObject>;
  readonly unused: readonly ListedObject[];
  readonly totalBytes: number;
}

async function sortObjects({ objects, clock }: PruneParts, { byHash }: Users): Promise<Sorted> {
  const used = new Map<string, ListedObject>();
  const unused: ListedObject[] = [];
  let totalBytes = 0;
  for await (const object of objects.list()) {
    const ageMs = clock.now() - object.touchedAtMs;
    // What is being written has no hash yet, and must not be taken away under the writer.
    const isBeingWritten = object.hash === "" && ageMs <= MIN_UNUSED_AGE_MS;
    if (isBeingWritten) continue;
    // A write that is under way shares it for a moment; one that was killed, for good.
    if (object.isShared && ageMs > MIN_RECORDING_MS) await objects.detach(object.hash);
    totalBytes += object.bytes;
    if (byHash.has(object.hash)) used.set(object.hash, object);
    else unused.push(object);
  }
  return { used, unused, totalBytes };
}

/** Set aside first: a call may be writing the record that refers to it. Returns bytes removed. */
async function removeUnused(
  { store, objects }: PruneParts,
  doomed: readonly ListedObject[],
): Promise<number> {
  if (doomed.length === 0) return 0;
  const aside: { readonly object: ListedObject; readonly file: string }[] = [];
  for (const object of doomed) {
    const file = await objects.setAside(object.file);
    if (file !== undefined) aside.push({ object, file });
  }
  const { byHash } = await readUsers(store);
  let removedBytes = 0;
  for (const { object, file } of aside) {
    if (byHash.has(object.hash)) await objects.bringBack(file, object.file);
    else {
      await objects.remove(file);
      removedBytes += object.bytes;
    }
  }
  return removedBytes;
}

function sumBytes(objects: Iterable<ListedObject>): number {
  let total = 0;
  for (const { bytes } of objects) total += bytes;
  return total;
}

interface Users {
  readonly byHash: ReadonlyMap<string, Set<string>>;
  readonly byCall: ReadonlyMap<string, Set<string>>;
  readonly times: ReadonlyMap<string, number>;
}

async function readUsers(store: Store): Promise<Users> {
  const byHash = new Map<string, Set<string>>();
  const byCall = new Map<string, Set<string>>();
  const times = new Map<string, number>();
  const add = (callKey: string, before: FileChange["before"] | undefined) => {
    if (before?.kind !== "file") return;
    byHash.set(before.hash, (byHash.get(before.hash) ?? new Set()).add(callKey));
    byCall.set(callKey, (byCall.get(callKey) ?? new Set()).add(before.hash));
  };
  for await (const { key, value } of entries(store, { space: FILES_SPACE })) {
    add(key.slice(0, key.lastIndexOf("/")), parseChange(value)?.before);
  }
  for await (const { key, value } of entries(store, { space: CALLS_SPACE })) {
    add(key, parseFirst(value)?.change.before);
    times.set(key, parseCall(value)?.atMs ?? 0);
  }
  return { byHash, byCall, times };
}

/** What is left of a call that was dropped while it ran goes before all others. */
function oldestFirst({ byCall, times }: Users): string[] {
  const calls = new Map([...byCall.keys()].map((key) => [key, 0]));
  for (const [key, atMs] of times) calls.set(key, atMs);
  return [...calls].sort(compareAge).map(([key]) => key);
}

/** Keys count down within one scope, so that of one millisecond the later call has the lesser. */
function compareAge(
  [leftKey, left]: [string, number],
  [rightKey, right]: [string, number],
): number {
  if (left !== right) return left - right;
  return leftKey < rightKey ? 1 : -1;
}

/** Its id stays known, so that an undo says that it has expired. */
async function forgetCall(store: Store, callKey: string): Promise<void> {
  await store.kv.delete({ space: CALLS_SPACE, key: callKey });
  for await (const { key } of entries(store, { space: FILES_SPACE, prefix: `${callKey}/` })) {
    await store.kv.delete({ space: FILES_SPACE, key });
  }
}

async function* entries(
  store: Store,
  request: { readonly space: string; readonly prefix?: string },
): AsyncIterable<KvEntry> {
  let after: string | undefined;
  do {
    const page = await store.kv.list({ ...request, after, limit: PAGE });
    yield* page.entries;
    after = page.next;
  } while (after !== undefined);
}
