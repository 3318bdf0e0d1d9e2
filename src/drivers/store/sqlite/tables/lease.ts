// Leases in SQLite. A lease that has expired is as good as none.

import type { Lease, LeaseStore } from "../../../../core/index.js";
import { checkName, checkSpan } from "../../input/check.js";
import { readAcquire, readHeld } from "../../input/read-requests.js";
import { leaseHeld, leaseLost } from "../../refusals.js";
import type { Access, Now } from "../access.js";
import type { Database } from "../database.js";
import { nextNumber } from "./counter.js";
import { integerOf, textOf } from "./row.js";

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
    token: integerOf(row, "token"),
    expiresAtMs: integerOf(row, "expires_at_ms"),
  };
}
