// Records and old content in memory. What no record refers to goes at once; over the limits the
// oldest calls go first, and their ids are known a while longer.

import type { Clock, RandomSource, RecordedCall } from "../../../core/index.js";
import type { HistoryLimits } from "../limits.js";
import type { Objects } from "../objects.js";
import { type ChangeLog, createKeys, type FoundCall } from "../records/change-log.js";
import type { FileChange } from "../records/rows.js";
import { createMemoryObjects } from "./memory-objects.js";

const MAX_KNOWN_IDS = 10_000;

export interface ShelfOptions {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly limits: HistoryLimits;
}

export interface MemoryShelf {
  readonly log: ChangeLog;
  readonly objects: Objects;
  /** Drops what is over the limits; how many bytes are left. */
  evict(): number;
  clear(): void;
}

interface Entry {
  call: RecordedCall;
  revision: number;
  readonly expiresAtMs: number;
  readonly changes: Map<number, FileChange>;
}

export function createMemoryShelf({ clock, random, limits }: ShelfOptions): MemoryShelf {
  const objects = createMemoryObjects({ clock });
  /** The oldest first. */
  const entries = new Map<string, Entry>();
  const ids = new Map<string, string>();

  function drop(callKey: string): void {
    for (const { before } of entries.get(callKey)?.changes.values() ?? []) objects.release(before);
    entries.delete(callKey);
  }

  function evict(): number {
    objects.dropUnused();
    for (const [callKey, { expiresAtMs }] of entries) {
      if (expiresAtMs > clock.now() && objects.totalBytes() <= limits.maxTotalBytes) break;
      drop(callKey);
    }
    const [oldest] = ids.keys();
    if (ids.size > MAX_KNOWN_IDS && oldest !== undefined) ids.delete(oldest);
    return objects.totalBytes();
  }

  function findAlive(callKey: string): FoundCall | undefined {
    const entry = entries.get(callKey);
    if (entry === undefined || entry.expiresAtMs <= clock.now()) return undefined;
    const { call, revision, expiresAtMs } = entry;
    return { callKey, call, revision, expiresAtMs };
  }

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
      for (const { index, change } of changes) {
        // Held anew before the old hold is given up: mostly it is the same content.
        if (entry) objects.hold(change.before);
        const replaced = entry?.changes.get(index);
        if (replaced) objects.release(replaced.before);
        entry?.changes.set(index, change);
      }
      evict();
    },
    async forget({ callKey, call, indexes }) {
      const changes = entries.get(callKey)?.changes;
      for (const index of indexes) {
        const change = changes?.get(index);
        if (change) objects.release(change.before);
        changes?.delete(index);
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
      objects.clear();
    },
  };
}
