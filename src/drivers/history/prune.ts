// Removes old content that no call refers to any more, and the oldest calls when all of it together
// is too large. One process at a time does it.

import { type Clock, isToolError, type KvEntry, type Store } from "../../core/index.js";
import { type HistoryLimits, MIN_FORGOTTEN_AGE_MS, MIN_UNUSED_AGE_MS } from "./limits.js";
import type { Objects, StoredObject } from "./objects.js";
import { CALLS_SPACE, FILES_SPACE } from "./records/change-log.js";
import { parseCall, parseChange } from "./records/rows.js";

const LEASE = "undo.prune";
const LEASE_MS = 60_000;
const PAGE = 1_000;

export interface PruneParts {
  readonly store: Store;
  readonly objects: Objects;
  readonly clock: Clock;
  readonly limits: HistoryLimits;
  readonly holder: string;
}

type ListedObject = StoredObject & { readonly file: string };

/** How many bytes are left; undefined when another process is at it. */
export async function prune(parts: PruneParts): Promise<number | undefined> {
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
  const { store, objects, limits, clock } = parts;
  const users = await readUsers(store);
  const kept = new Map<string, ListedObject>();
  let total = 0;
  for await (const object of objects.list()) {
    const isUsed = users.byHash.has(object.hash);
    const ageMs = clock.now() - object.touchedAtMs;
    // A write that is under way shares it for a moment; one that was killed, for good.
    if (object.isShared && ageMs > MIN_FORGOTTEN_AGE_MS) await objects.detach(object.hash);
    if (!isUsed && ageMs > MIN_UNUSED_AGE_MS) {
      await objects.remove(object.file);
    } else {
      kept.set(object.hash, object);
      total += object.bytes;
    }
  }
  if (total <= limits.maxTotalBytes) return total;
  for (const callKey of await oldestFirst(store)) {
    if (total <= limits.maxTotalBytes) break;
    await forgetCall(store, callKey);
    for (const hash of users.byCall.get(callKey) ?? []) {
      const callers = users.byHash.get(hash);
      callers?.delete(callKey);
      const object = kept.get(hash);
      const isYoung = clock.now() - (object?.touchedAtMs ?? 0) < MIN_FORGOTTEN_AGE_MS;
      if (!object || isYoung || (callers?.size ?? 0) > 0) continue;
      await objects.remove(object.file);
      total -= object.bytes;
    }
  }
  return total;
}

interface Users {
  /** The calls that refer to it. */
  readonly byHash: ReadonlyMap<string, Set<string>>;
  readonly byCall: ReadonlyMap<string, Set<string>>;
}

async function readUsers(store: Store): Promise<Users> {
  const byHash = new Map<string, Set<string>>();
  const byCall = new Map<string, Set<string>>();
  for await (const { key, value } of entries(store, { space: FILES_SPACE })) {
    const before = parseChange(value)?.before;
    if (before?.kind !== "file") continue;
    const callKey = key.slice(0, key.lastIndexOf("/"));
    byHash.set(before.hash, (byHash.get(before.hash) ?? new Set()).add(callKey));
    byCall.set(callKey, (byCall.get(callKey) ?? new Set()).add(before.hash));
  }
  return { byHash, byCall };
}

async function oldestFirst(store: Store): Promise<string[]> {
  const calls: { readonly key: string; readonly atMs: number }[] = [];
  for await (const { key, value } of entries(store, { space: CALLS_SPACE })) {
    calls.push({ key, atMs: parseCall(value)?.atMs ?? 0 });
  }
  return calls.sort((left, right) => left.atMs - right.atMs).map(({ key }) => key);
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
