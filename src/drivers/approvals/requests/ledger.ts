// Who allowed or denied what, and when: one record for each answer and each change of the list.

import type { CommandGrant, Store } from "../../../core/index.js";
import { readNumber, readText } from "../../../lib/read-field.js";

const STREAM = "approvals.ledger";
const KEPT = 10_000;
const TRIM_EVERY = 100;

export interface LedgerRecord {
  readonly atMs: number;
  /** Who, in words. */
  readonly by: string;
  readonly action: "allow-once" | "allow-always" | "deny" | "grant-add" | "grant-remove";
  readonly agentId?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly approvalId?: string | undefined;
  readonly command?: string | undefined;
  readonly planHash?: string | undefined;
  readonly reason?: string | undefined;
  readonly grants?: readonly CommandGrant[] | undefined;
}

/** On the disk when it is fulfilled. */
export async function writeLedger(store: Store, record: LedgerRecord): Promise<void> {
  const { lastSequence } = await store.log.append({
    stream: STREAM,
    records: [record],
    durability: "disk",
  });
  if (lastSequence % TRIM_EVERY === 0) await store.log.trim({ stream: STREAM, keepLast: KEPT });
}

/** Newest first. */
export async function readLedger(store: Store, limit: number): Promise<readonly LedgerRecord[]> {
  const { records } = await store.log.readLast({ stream: STREAM, limit });
  return records.flatMap(({ value }) => (isRecord(value) ? [value] : []));
}

function isRecord(value: unknown): value is LedgerRecord {
  const isWhole = readText(value, "by") !== undefined && readText(value, "action") !== undefined;
  return isWhole && readNumber(value, "atMs") !== undefined;
}
