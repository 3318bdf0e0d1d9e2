// Queues in SQLite. A receipt is the entry and its delivery, so a later delivery makes it stale.

import type { QueueEntry, QueueStore } from "../../../../core/index.js";
import { checkDelay, checkSpan } from "../../input/check.js";
import {
  type ReadPush,
  type ReadReceipt,
  readClaim,
  readPush,
  readReceipt,
  toReceipt,
} from "../../input/read-requests.js";
import { receiptStale } from "../../refusals.js";
import type { Access, Now } from "../access.js";
import type { Database } from "../database.js";
import { fillPage } from "./page.js";
import { integerOf, jsonOf } from "./row.js";

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
  return { id: `${integerOf(row, "id")}` };
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
  const id = integerOf(row, "id");
  const attempt = integerOf(row, "attempt") + 1;
  return {
    id: `${id}`,
    receipt: toReceipt({ id, attempt }),
    value: jsonOf(row, "value"),
    attempt,
    pushedAtMs: integerOf(row, "pushed_at_ms"),
    visibleAtMs,
  };
}
