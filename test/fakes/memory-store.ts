// A store that lives as long as the process: for tests that need the port, not the disk.

import type {
  Clock,
  KvEntry,
  Lease,
  LogRecord,
  Store,
  StoreOutcome,
  StoreWriteOptions,
} from "../../src/core/index.js";
import {
  checkDelay,
  checkName,
  checkSpan,
  checkWriteOptions,
} from "../../src/drivers/store/input/check.js";
import * as input from "../../src/drivers/store/input/read-requests.js";
import * as refuse from "../../src/drivers/store/refusals.js";
import { createWatching } from "../../src/drivers/store/watch.js";
import { createMemoryTables, type MemoryEntry, type MemoryItem } from "./memory-tables.js";

interface LogRead {
  readonly stream: string;
  readonly limit: unknown;
  readonly from: unknown;
  readonly newestFirst: boolean;
}

const byCodePoint = (left: string, right: string) =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));

export function createMemoryStore({ clock }: { readonly clock: Clock }): Store {
  let tables = createMemoryTables();
  let isClosed = false;

  const open = () => {
    if (isClosed) throw refuse.storeClosed();
    return tables;
  };
  const begin = (options: StoreWriteOptions) => {
    open();
    checkWriteOptions(options);
  };
  const write =
    <Request, Read, Value>(read: (request: Request) => Read, work: (request: Read) => Value) =>
    async (request: Request & StoreWriteOptions) => {
      begin(request);
      return work(read(request));
    };
  const isAlive = ({ expiresAtMs }: { readonly expiresAtMs: number | undefined }) =>
    expiresAtMs === undefined || expiresAtMs > clock.now();
  const expiry = (ttlMs: number | undefined) =>
    ttlMs === undefined ? undefined : clock.now() + ttlMs;
  const placeOf = ({ space, key }: { space: string; key: string }) => JSON.stringify([space, key]);

  function findEntry(place: { space: string; key: string }): MemoryEntry | undefined {
    const found = open().entries.get(placeOf(place));
    return found && isAlive(found) ? found : undefined;
  }

  function assertRevision(target: input.ReadDelete): number {
    const revision = findEntry(target)?.revision ?? 0;
    const { key, expectRevision: expected } = target;
    if (expected === undefined || expected === revision) return revision;
    throw refuse.revisionMismatch({ key, expected, revision });
  }

  function put(request: input.ReadPut) {
    assertRevision(request);
    const { space, key, value, ttlMs } = request;
    const revision = ++tables.counter;
    const entry = { space, key, text: value.text, revision, expiresAtMs: expiry(ttlMs) };
    tables.entries.set(placeOf(request), entry);
    return { revision };
  }

  function remove(target: input.ReadDelete): boolean {
    const revision = assertRevision(target);
    tables.entries.delete(placeOf(target));
    return revision !== 0;
  }

  function append({ stream, values, expectLast }: input.ReadAppend) {
    const { last, records } = open().streams.get(stream) ?? { last: 0, records: [] };
    if (expectLast !== undefined && expectLast !== last) {
      throw refuse.sequenceMismatch({ stream, expected: expectLast, last });
    }
    const atMs = clock.now();
    const added = values.map(({ text }, index) => ({ sequence: last + 1 + index, text, atMs }));
    tables.streams.set(stream, { last: last + added.length, records: [...records, ...added] });
    return { firstSequence: last + 1, lastSequence: last + added.length };
  }

  function trim({ stream, through = 0, keepLast, maxAgeMs }: input.ReadTrim): number {
    const found = open().streams.get(stream);
    if (found === undefined) return 0;
    const byCount = keepLast === undefined ? 0 : found.last - keepLast;
    const young = found.records.find(({ atMs }) => atMs >= clock.now() - (maxAgeMs ?? 0));
    const byAge = maxAgeMs === undefined ? 0 : (young?.sequence ?? found.last + 1) - 1;
    const bound = Math.max(through, byCount, byAge);
    const kept = found.records.filter(({ sequence }) => sequence > bound);
    const count = found.records.length - kept.length;
    found.records = kept;
    return count;
  }

  function findLease(name: string): Lease | undefined {
    const found = open().leases.get(name);
    return found && isAlive(found) ? found : undefined;
  }

  function checkLease({ name, token }: { name: string; token: number }): Lease {
    const found = findLease(name);
    if (found?.token === token) return found;
    throw refuse.leaseLost(name, token);
  }

  function putLease(lease: Lease): Lease {
    tables.leases.set(lease.name, lease);
    return lease;
  }

  function push({ queue, value, delayMs, ttlMs }: input.ReadPush) {
    const id = ++open().counter;
    const pushedAtMs = clock.now();
    tables.items.set(id, {
      ...{ id, queue, text: value.text, pushedAtMs, attempt: 0, held: false },
      ...{ expiresAtMs: expiry(ttlMs), visibleAtMs: pushedAtMs + delayMs },
    });
    return { id: `${id}` };
  }

  function findDelivered({ id, queue, attempt, receipt }: input.ReadReceipt): MemoryItem {
    const item = open().items.get(id);
    const isOurs = item?.queue === queue && item.held && item.attempt === attempt;
    if (item && isOurs && isAlive(item)) return item;
    throw refuse.receiptStale(receipt);
  }

  function runOperation(operation: input.ReadOperation): StoreOutcome {
    if (operation.kind === "kv.put") return put(operation);
    if (operation.kind === "kv.delete") return { wasThere: remove(operation) };
    if (operation.kind === "log.append") return append(operation);
    if (operation.kind === "queue.push") return push(operation);
    if (operation.kind === "kv.check") assertRevision(operation);
    else if (operation.kind === "lease.check") checkLease(operation);
    else if (operation.kind === "queue.release") release(operation);
    else tables.items.delete(findDelivered(operation).id);
    return {};
  }

  function release({
    delayMs,
    ...receipt
  }: input.ReadReceipt & { readonly delayMs: number }): void {
    const item = findDelivered(receipt);
    item.held = false;
    item.visibleAtMs = clock.now() + delayMs;
  }

  function readLog(request: LogRead) {
    const { stream, limit, from } = input.readLogPage(request);
    const records = (open().streams.get(stream)?.records ?? []).map(
      ({ text, ...rest }): LogRecord => ({ ...rest, value: JSON.parse(text) }),
    );
    const wanted = request.newestFirst
      ? records.filter(({ sequence }) => from === undefined || sequence < from).reverse()
      : records.filter(({ sequence }) => sequence > (from ?? 0));
    const page = wanted.slice(0, limit);
    return { records: page, next: wanted.length > limit ? page.at(-1)?.sequence : undefined };
  }

  const toEntry = ({ key, text, revision, expiresAtMs }: MemoryEntry): KvEntry => ({
    ...{ key, value: JSON.parse(text), revision, expiresAtMs },
  });

  const watching = createWatching();
  const store = watching.hinted({
    kv: {
      async get(place) {
        const found = findEntry(input.readPlace(place));
        return found && toEntry(found);
      },
      put: write(input.readPut, put),
      delete: write(input.readDelete, remove),
      async list(request) {
        const { space, prefix, after = "", limit } = input.readList(request);
        const wanted = [...open().entries.values()]
          .filter((entry) => entry.space === space && entry.key.startsWith(prefix))
          .filter((entry) => isAlive(entry) && byCodePoint(entry.key, after) > 0)
          .sort((left, right) => byCodePoint(left.key, right.key));
        const entries = wanted.slice(0, limit).map(toEntry);
        return { entries, next: wanted.length > limit ? entries.at(-1)?.key : undefined };
      },
    },
    log: {
      append: write(input.readAppend, append),
      read: async ({ stream, after, limit }) =>
        readLog({ stream, limit, from: after, newestFirst: false }),
      readLast: async ({ stream, before, limit }) =>
        readLog({ stream, limit, from: before, newestFirst: true }),
      trim: write(input.readTrim, trim),
    },
    lease: {
      acquire: write(input.readAcquire, ({ name, holder, ttlMs }) => {
        const held = findLease(name);
        if (held) throw refuse.leaseHeld(held);
        const token = ++tables.counter;
        return putLease({ name, holder, token, expiresAtMs: clock.now() + ttlMs });
      }),
      async renew(request) {
        begin(request);
        const ttlMs = checkSpan("ttlMs", request.ttlMs);
        const held = checkLease(input.readHeld(request));
        return putLease({ ...held, expiresAtMs: clock.now() + ttlMs });
      },
      release: write(
        input.readHeld,
        ({ name, token }) => findLease(name)?.token === token && tables.leases.delete(name),
      ),
      read: async (name) => findLease(checkName("name", name)),
    },
    queue: {
      push: write(input.readPush, push),
      async claim({ queue, visibilityMs, limit, ...options }) {
        begin(options);
        const claim = input.readClaim({ queue, visibilityMs, limit });
        const nowMs = clock.now();
        const ready = [...open().items.values()]
          .filter((item) => item.queue === queue && item.visibleAtMs <= nowMs && isAlive(item))
          .sort((left, right) => left.visibleAtMs - right.visibleAtMs || left.id - right.id);
        return ready.slice(0, claim.limit).map((item) => {
          item.attempt++;
          item.held = true;
          item.visibleAtMs = nowMs + claim.visibilityMs;
          const { id, attempt, text, pushedAtMs, visibleAtMs } = item;
          const receipt = input.toReceipt({ id, attempt });
          return {
            id: `${id}`,
            receipt,
            value: JSON.parse(text),
            attempt,
            pushedAtMs,
            visibleAtMs,
          };
        });
      },
      acknowledge: write(input.readReceipt, (receipt) => {
        tables.items.delete(findDelivered(receipt).id);
      }),
      async extend(request) {
        begin(request);
        const visibilityMs = checkSpan("visibilityMs", request.visibilityMs);
        const item = findDelivered(input.readReceipt(request));
        item.visibleAtMs = clock.now() + visibilityMs;
        return { visibleAtMs: item.visibleAtMs };
      },
      async release(request) {
        begin(request);
        release({ ...input.readReceipt(request), delayMs: checkDelay(request.delayMs) });
      },
    },
    async transact(parts, options = {}) {
      begin(options);
      const { operations } = input.readOperations(parts);
      const before = structuredClone(open());
      try {
        return operations.map(runOperation);
      } catch (error) {
        tables = before;
        throw error;
      }
    },
    now: async () => clock.now(),
    async sync() {
      open();
    },
    async sweep() {
      const { entries, items, leases } = open();
      const count = () => entries.size + items.size + leases.size;
      const before = count();
      for (const [key, entry] of entries) if (!isAlive(entry)) entries.delete(key);
      for (const [id, item] of items) if (!isAlive(item)) items.delete(id);
      for (const [name, lease] of leases) if (!isAlive(lease)) leases.delete(name);
      return before - count();
    },
    async close() {
      isClosed = true;
      watching.close();
    },
  });
  return { ...store, watch: watching.watch };
}
