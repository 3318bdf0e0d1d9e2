// Leases in SQLite. A lease that has expired is as good as none.
import type { Lease, LeaseStore, QueueEntry, QueueStore } from "../../../../core/index.js";
import { jsonOf, numberOf, textOf } from "../../../sqlite.js";
import { checkDelay, checkName, checkSpan } from "../../input/check.js";
import {
  type ReadPush,
  type ReadReceipt,
  readAcquire,
  readClaim,
  readHeld,
  readPush,
  readReceipt,
  toReceipt,
} from "../../input/read-requests.js";
import { leaseHeld, leaseLost, receiptStale } from "../../refusals.js";
import type { Database } from "../database.js";
import type { Access, Now } from "../sqlite-errors.js";
import { fillPage, nextNumber } from "./kv.js";

const GET =
  "SELECT name, holder, token, expires_at_ms FROM state.leases WHERE name = ? AND expires_at_ms > ?";
const PUT =
  "INSERT OR REPLACE INTO state.leases (name, holder, token, expires_at_ms) VALUES (?, ?, ?, ?)";
const DELETE = "DELETE FROM state.leases WHERE name = ?";

export function createLeases({ read, write, now }: Access): LeaseStore {
  return {
    async acquire(request) {
      const wanted = readAcquire(request);
      return write((database) => acquireLease(database, { ...wanted, ...now() }), request);
    },
    async renew(request) {
      const held = { ...readHeld(request), ttlMs: checkSpan("ttlMs", request.ttlMs) };
      return write((database) => renewLease(database, { ...held, ...now() }), request);
    },
    async release(request) {
      const held = readHeld(request);
      return write((database) => releaseLease(database, { ...held, ...now() }), request);
    },
    async read(name) {
      const wanted = checkName("name", name);
      return read((database) => readLease(database, { name: wanted, ...now() }));
    },
  };
}

interface HeldLease extends Now {
  readonly name: string;
  readonly token: number;
}

function readLease(
  database: Database,
  { name, nowMs }: { readonly name: string } & Now,
): Lease | undefined {
  const row = database.statement(GET).get(name, nowMs);
  return row === undefined ? undefined : toLease(row);
}

function acquireLease(
  database: Database,
  request: { readonly name: string; readonly holder: string; readonly ttlMs: number } & Now,
): Lease {
  const held = readLease(database, request);
  if (held) throw leaseHeld(held);
  const { name, holder, ttlMs, nowMs } = request;
  return putLease(database, {
    name,
    holder,
    token: nextNumber(database),
    expiresAtMs: nowMs + ttlMs,
  });
}

function renewLease(database: Database, request: HeldLease & { readonly ttlMs: number }): Lease {
  const held = checkLease(database, request);
  return putLease(database, { ...held, expiresAtMs: request.nowMs + request.ttlMs });
}

function releaseLease(database: Database, request: HeldLease): boolean {
  if (readLease(database, request)?.token !== request.token) return false;
  database.statement(DELETE).run(request.name);
  return true;
}

/** Throws unless the lease is held with this token. */
export function checkLease(database: Database, request: HeldLease): Lease {
  const held = readLease(database, request);
  if (held?.token === request.token) return held;
  throw leaseLost(request.name, request.token);
}

function putLease(database: Database, lease: Lease): Lease {
  const { name, holder, token, expiresAtMs } = lease;
  database.statement(PUT).run(name, holder, token, expiresAtMs);
  return lease;
}

function toLease(row: unknown): Lease {
  return {
    name: textOf(row, "name"),
    holder: textOf(row, "holder"),
    token: numberOf(row, "token"),
    expiresAtMs: numberOf(row, "expires_at_ms"),
  };
}

const PUSH = `INSERT INTO state.queue
  (queue, attempt, held, pushed_at_ms, visible_at_ms, expires_at_ms, value)
  VALUES (?, 0, 0, ?, ?, ?, ?) RETURNING id`;
const READY = `SELECT id, attempt, pushed_at_ms, value FROM state.queue
  WHERE queue = ? AND visible_at_ms <= ? AND (expires_at_ms IS NULL OR expires_at_ms > ?)
  ORDER BY visible_at_ms, id LIMIT ?`;
const GIVE_OUT = "UPDATE state.queue SET held = 1, attempt = ?, visible_at_ms = ? WHERE id = ?";
const DELIVERED = `id = ? AND queue = ? AND attempt = ? AND held = 1
  AND (expires_at_ms IS NULL OR expires_at_ms > ?)`;
const ACKNOWLEDGE = `DELETE FROM state.queue WHERE ${DELIVERED}`;
const EXTEND = `UPDATE state.queue SET visible_at_ms = ? WHERE ${DELIVERED}`;
const RELEASE = `UPDATE state.queue SET held = 0, visible_at_ms = ? WHERE ${DELIVERED}`;

export function createQueues({ write, now }: Access): QueueStore {
  return {
    async push(request) {
      const push = readPush(request);
      const { bytes } = push.value;
      return write((database) => pushEntry(database, { ...push, ...now() }), { ...request, bytes });
    },
    async claim(request) {
      const { queue, visibilityMs, limit } = request;
      const claim = readClaim({ queue, visibilityMs, limit });
      return write((database) => claimEntries(database, { ...claim, ...now() }), request);
    },
    async acknowledge(request) {
      const receipt = readReceipt(request);
      return write((database) => acknowledgeEntry(database, { ...receipt, ...now() }), request);
    },
    async extend(request) {
      const visibilityMs = checkSpan("visibilityMs", request.visibilityMs);
      const receipt = { ...readReceipt(request), visibilityMs };
      return write((database) => extendEntry(database, { ...receipt, ...now() }), request);
    },
    async release(request) {
      const receipt = { ...readReceipt(request), delayMs: checkDelay(request.delayMs) };
      return write((database) => releaseEntry(database, { ...receipt, ...now() }), request);
    },
  };
}

export function pushEntry(database: Database, push: ReadPush & Now): { readonly id: string } {
  const { queue, value, delayMs, ttlMs, nowMs } = push;
  const expiresAtMs = ttlMs === undefined ? null : nowMs + ttlMs;
  const row = database.statement(PUSH).get(queue, nowMs, nowMs + delayMs, expiresAtMs, value.text);
  return { id: `${numberOf(row, "id")}` };
}

interface ClaimRequest extends Now {
  readonly queue: string;
  readonly visibilityMs: number;
  readonly limit: number;
}

function claimEntries(database: Database, request: ClaimRequest): readonly QueueEntry[] {
  const { queue, visibilityMs, limit, nowMs } = request;
  const visibleAtMs = nowMs + visibilityMs;
  const rows = database.statement(READY).iterate(queue, nowMs, nowMs, limit);
  const { entries } = fillPage(rows, { limit, toEntry: (row) => toEntry(row, visibleAtMs) });
  const giveOut = database.statement(GIVE_OUT);
  for (const { id, attempt } of entries) giveOut.run(attempt, visibleAtMs, Number(id));
  return entries;
}

export function acknowledgeEntry(database: Database, receipt: ReadReceipt & Now): void {
  const { id, queue, attempt, nowMs } = receipt;
  const { changes } = database.statement(ACKNOWLEDGE).run(id, queue, attempt, nowMs);
  if (Number(changes) === 0) throw receiptStale(receipt.receipt);
}

function extendEntry(
  database: Database,
  receipt: ReadReceipt & Now & { readonly visibilityMs: number },
): { readonly visibleAtMs: number } {
  const { id, queue, attempt, nowMs } = receipt;
  const visibleAtMs = nowMs + receipt.visibilityMs;
  const { changes } = database.statement(EXTEND).run(visibleAtMs, id, queue, attempt, nowMs);
  if (Number(changes) === 0) throw receiptStale(receipt.receipt);
  return { visibleAtMs };
}

export function releaseEntry(
  database: Database,
  receipt: ReadReceipt & Now & { readonly delayMs: number },
): void {
  const { id, queue, attempt, nowMs, delayMs } = receipt;
  const { changes } = database.statement(RELEASE).run(nowMs + delayMs, id, queue, attempt, nowMs);
  if (Number(changes) === 0) throw receiptStale(receipt.receipt);
}

function toEntry(row: unknown, visibleAtMs: number): QueueEntry {
  const id = numberOf(row, "id");
  const attempt = numberOf(row, "attempt") + 1;
  return {
    id: `${id}`,
    receipt: toReceipt({ id, attempt }),
    value: jsonOf(row, "value"),
    attempt,
    pushedAtMs: numberOf(row, "pushed_at_ms"),
    visibleAtMs,
  };
}

/** Of one table in one transaction: the event loop stops that long. */
const MAX_SWEPT_ROWS = 500;

const SWEEPS = [
  sweepOf({ table: "kv", key: "id" }),
  sweepOf({ table: "queue", key: "id" }),
  sweepOf({ table: "leases", key: "name" }),
];

function sweepOf({ table, key }: { readonly table: string; readonly key: string }): string {
  return `DELETE FROM state.${table} WHERE ${key} IN
    (SELECT ${key} FROM state.${table} WHERE expires_at_ms <= ? LIMIT ${MAX_SWEPT_ROWS})`;
}

/** How many went; 0 when nothing is left to remove. */
export function sweepExpired(database: Database, { nowMs }: Now): number {
  return SWEEPS.reduce(
    (count, sql) => count + Number(database.statement(sql).run(nowMs).changes),
    0,
  );
}
