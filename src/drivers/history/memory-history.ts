// The history of one bridge that is not a folder of this machine: it lives as long as it is used, no one
// else sees it, and nothing of it is on the disk.

import type { Clock, RandomSource, RecordedCall } from "../../core/index.js";
import { contentDamaged, type HistoryLimits, MEMORY_LIMITS, readLimits } from "./errors.js";
import type { FileState } from "./file-state.js";
import { type FileHistory, type HistoryPlace, joinHistory } from "./join-history.js";
import type { Objects } from "./objects.js";
import { type ChangeLog, createKeys, type FoundCall } from "./records/change-log.js";
import type { FileChange } from "./records/rows.js";

interface MemoryHistoryOptions extends HistoryPlace {
  readonly limits?: Partial<HistoryLimits> | undefined;
}

export function createMemoryHistory(options: MemoryHistoryOptions): FileHistory {
  const limits = readLimits(options.limits, MEMORY_LIMITS);
  const { log, objects, evict, clear } = createMemoryShelf({ ...options, limits });
  const { maxFileBytes } = limits;
  return {
    // What is too much goes when the record is written that refers to it.
    ...joinHistory({ ...options, log, objects, maxFileBytes, added: () => undefined }),
    prune: async () => evict(),
    async close() {
      clear();
    },
  };
}

/** Between putting content away and writing the record that refers to it. */
const MAX_UNHELD_MS = 60_000;

interface MemoryObjects extends Objects {
  /** A record refers to it from now on. */
  hold(state: FileState): void;
  /** And not any more. */
  release(state: FileState): void;
  dropUnused(): void;
  totalBytes(): number;
  clear(): void;
}

interface Kept {
  readonly bytes: Buffer;
  holds: number;
  putAtMs: number;
}

const MAX_KNOWN_IDS = 10_000;

interface ShelfOptions {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly limits: HistoryLimits;
}

interface MemoryShelf {
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

function createMemoryShelf({ clock, random, limits }: ShelfOptions): MemoryShelf {
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
        // Held again before the old hold is given up: mostly it is the same content.
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

function createMemoryObjects({ clock }: { readonly clock: Clock }): MemoryObjects {
  const kept = new Map<string, Kept>();
  /** Of those some are waiting for their record. */
  const unheld = new Set<string>();
  let total = 0;

  function remove(hash: string): void {
    total -= kept.get(hash)?.bytes.byteLength ?? 0;
    kept.delete(hash);
    unheld.delete(hash);
  }

  return {
    async put(seen) {
      const hash = await seen.hash();
      const known = kept.get(hash);
      if (known) known.putAtMs = clock.now();
      else {
        // A copy: a bridge may go on using what it gave.
        kept.set(hash, { bytes: Buffer.from(seen.bytes), holds: 0, putAtMs: clock.now() });
        total += seen.bytes.byteLength;
      }
      if (!known?.holds) unheld.add(hash);
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
    hold(state) {
      if (state.kind !== "file") return;
      const found = kept.get(state.hash);
      if (found) found.holds++;
      unheld.delete(state.hash);
    },
    release(state) {
      const found = state.kind === "file" ? kept.get(state.hash) : undefined;
      if (found && state.kind === "file" && --found.holds <= 0) remove(state.hash);
    },
    dropUnused() {
      for (const hash of unheld) {
        if (clock.now() - (kept.get(hash)?.putAtMs ?? 0) > MAX_UNHELD_MS) remove(hash);
      }
    },
    totalBytes: () => total,
    clear() {
      kept.clear();
      unheld.clear();
      total = 0;
    },
  };
}
