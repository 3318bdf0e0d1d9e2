// The refusals that belong to the port: every driver answers with these.
import { ToolError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";

const SHOWN_CHARS = 80;
const show = (name: string) => `"${toPrintable(name, SHOWN_CHARS)}"`;

export function revisionMismatch(mismatch: {
  readonly key: string;
  readonly expected: number;
  readonly revision: number;
}): ToolError {
  const { key, expected, revision } = mismatch;
  const found = revision === 0 ? "nothing is there" : `it has revision ${revision}`;
  return new ToolError(
    "conflict",
    `${show(key)} was expected at revision ${expected}, but ${found}; read it again.`,
    { reason: "revision_mismatch", details: { revision } },
  );
}

export function sequenceMismatch(mismatch: {
  readonly stream: string;
  readonly expected: number;
  readonly last: number;
}): ToolError {
  const { stream, expected, last } = mismatch;
  return new ToolError(
    "conflict",
    `${show(stream)} was expected to end at ${expected}, but it ends at ${last}; read on from there.`,
    { reason: "sequence_mismatch", details: { last } },
  );
}

export function leaseHeld(lease: {
  readonly name: string;
  readonly holder: string;
  readonly expiresAtMs: number;
}): ToolError {
  const { name, holder, expiresAtMs } = lease;
  const until = new Date(expiresAtMs).toISOString();
  return new ToolError(
    "conflict",
    `${show(name)} is held by ${show(holder)} until ${until}; try again then.`,
    { reason: "lease_held", details: { holder, expiresAtMs } },
  );
}

export function leaseLost(name: string, token: number): ToolError {
  return new ToolError(
    "conflict",
    `${show(name)} is not held with token ${token} any more; stop this work or acquire it again.`,
    { reason: "lease_lost" },
  );
}

export function receiptStale(receipt: string): ToolError {
  return new ToolError(
    "conflict",
    `Receipt ${show(receipt)} is not valid any more: its entry was given out again or is gone.`,
    { reason: "receipt_stale" },
  );
}

export function writeTooLarge(): ToolError {
  return new ToolError(
    "limit",
    `One write may take ${MAX_WRITE_BYTES} bytes, and this one is larger; divide it.`,
    { reason: "write_too_large" },
  );
}

export function storeClosed(): ToolError {
  return new ToolError("unavailable", "The store is closed; open a new one.", {
    reason: "store_closed",
  });
}

export const MAX_NAME_BYTES = 1_024;
export const MAX_RECORD_BYTES = 16 * 1024 * 1024;
/** Of all records of one append or one transact together. */
export const MAX_WRITE_BYTES = 64 * 1024 * 1024;
export const MAX_VALUE_DEPTH = 256;
/** Records of one append, operations of one transact. */
export const MAX_PARTS = 1_000;
export const DEFAULT_PAGE_ENTRIES = 100;
export const MAX_PAGE_ENTRIES = 1_000;
/** About: a page ends early rather than hold more; it always holds one entry. */
export const MAX_PAGE_BYTES = 32 * 1024 * 1024;
export const DEFAULT_CLAIM_ENTRIES = 1;
export const MAX_CLAIM_ENTRIES = 100;
/** The longest time to live, delay or visibility: a hundred years. */
export const MAX_SPAN_MS = 100 * 365 * 24 * 60 * 60_000;
