// The history of one bridge that is not a folder of this machine: it is kept in memory, for as long as
// the bridge is used.

import type { Clock, RandomSource, RecordedCall } from "../../core/index.js";
import { contentDamaged, type HistoryLimits, MEMORY_LIMITS, readLimits } from "./errors.js";
import type { FileState } from "./file-state.js";
import { type FileHistory, type HistoryPlace, joinHistory } from "./join-history.js";
import type { Objects } from "./objects.js";
import { type ChangeLog, createKeys, type FoundCall } from "./records/change-log.js";
import type { FileChange } from "./records/rows.js";

/** Between storing content and writing the record that refers to it. */
const MAX_UNRECORDED_MS = 60_000;
const MAX_KNOWN_IDS = 10_000;

interface MemoryHistoryOptions extends HistoryPlace {
  readonly limits?: Partial<HistoryLimits> | undefined;
}

export function createMemoryHistory(options: MemoryHistoryOptions): FileHistory {
  const limits = readLimits(options.limits, MEMORY_LIMITS);
  const { log, objects, evict, clear } = createMemoryShelf({ ...options, limits });
  const { maxFileBytes } = limits;
  return {
    // Over the limit, old calls go when the next record is written.
    ...joinHistory({ ...options, log, objects, maxFileBytes, added: () => undefined }),
    prune: async () => evict(),
    async close() {
      clear();
    },
  };
}

interface Entry {
  call: RecordedCall;
  revision: number;
  readonly expiresAtMs: number;
  readonly changes: Map<number, FileChange>;
}

interface Kept {
  readonly bytes: Buffer;
  putAtMs: number;
}

function createMemoryShelf({
  clock,
  random,
  limits,
}: {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly limits: HistoryLimits;
}) {
  const entries = new Map<string, Entry>();
  const ids = new Map<string, string>();
  const kept = new Map<string, Kept>();
  let totalBytes = 0;

  function remove(hash: string): void {
    totalBytes -= kept.get(hash)?.bytes.byteLength ?? 0;
    kept.delete(hash);
  }

  function isUsed(hash: string): boolean {
    return [...entries.values()].some(({ changes }) =>
      [...changes.values()].some(({ before }) => before.kind === "file" && before.hash === hash),
    );
  }

  function release(states: readonly FileState[]): void {
    for (const state of states)
      if (state.kind === "file" && !isUsed(state.hash)) remove(state.hash);
  }

  function drop(callKey: string): void {
    const changes = [...(entries.get(callKey)?.changes.values() ?? [])];
    entries.delete(callKey);
    release(changes.map(({ before }) => before));
  }

  function evict(): number {
    if (totalBytes > limits.maxTotalBytes) {
      for (const [hash, { putAtMs }] of kept) {
        if (clock.now() - putAtMs > MAX_UNRECORDED_MS && !isUsed(hash)) remove(hash);
      }
    }
    for (const [callKey, { expiresAtMs }] of entries) {
      if (expiresAtMs > clock.now() && totalBytes <= limits.maxTotalBytes) break;
      drop(callKey);
    }
    const [oldest] = ids.keys();
    if (ids.size > MAX_KNOWN_IDS && oldest !== undefined) ids.delete(oldest);
    return totalBytes;
  }

  function findAlive(callKey: string): FoundCall | undefined {
    const entry = entries.get(callKey);
    if (entry === undefined || entry.expiresAtMs <= clock.now()) return undefined;
    const { call, revision, expiresAtMs } = entry;
    return { callKey, call, revision, expiresAtMs };
  }

  const objects: Objects = {
    async put(seen) {
      const hash = await seen.hash();
      const known = kept.get(hash);
      if (known) known.putAtMs = clock.now();
      else {
        // A copy: a bridge may go on using what it gave.
        kept.set(hash, { bytes: Buffer.from(seen.bytes), putAtMs: clock.now() });
        totalBytes += seen.bytes.byteLength;
      }
      return hash;
    },
    has: async (hash) => kept.has(hash),
    async get(hash) {
      const found = kept.get(hash);
      if (found) return Buffer.from(found.bytes);
      throw contentDamaged(hash, undefined);
    },
    async detach() {
      // No one writes into a copy.
    },
  };

  const log: ChangeLog = {
    newKey: createKeys({ clock, random, prefix: "" }),
    async write({ callKey, call, changes }) {
      if (call) {
        const expiresAtMs = clock.now() + limits.maxAgeMs;
        entries.set(callKey, { call, revision: 1, expiresAtMs, changes: new Map() });
        ids.delete(call.toolCallId);
        ids.set(call.toolCallId, callKey);
      }
      const entry = entries.get(callKey);
      for (const { index, change } of changes) entry?.changes.set(index, change);
      evict();
    },
    async forget({ callKey, call, indexes }) {
      const changes = entries.get(callKey)?.changes;
      for (const index of indexes) {
        const change = changes?.get(index);
        changes?.delete(index);
        if (change) release([change.before]);
      }
      if (!call) return;
      drop(callKey);
      ids.delete(call.toolCallId);
    },
    async find(toolCallId) {
      const callKey = ids.get(toolCallId);
      if (callKey === undefined) return { status: "unknown" };
      const found = findAlive(callKey);
      return found ? { status: "found", found } : { status: "expired" };
    },
    changes: async ({ callKey }) => [...(entries.get(callKey)?.changes.values() ?? [])],
    async list(limit) {
      const newest = [...entries.keys()].reverse();
      return newest.flatMap((callKey) => findAlive(callKey) ?? []).slice(0, limit);
    },
    async mark({ callKey, revision, call }, undoneBy) {
      const entry = entries.get(callKey);
      if (entry?.revision !== revision) return false;
      const { undoneBy: _undoneBy, ...rest } = call;
      entry.call = undoneBy === undefined ? rest : { ...rest, undoneBy };
      entry.revision++;
      return true;
    },
  };

  return {
    log,
    objects,
    evict,
    clear() {
      entries.clear();
      ids.clear();
      kept.clear();
      totalBytes = 0;
    },
  };
}
