// Requests of the port as drivers carry them out: names and numbers checked, values as JSON text,
// defaults filled in.

import {
  type KvDelete,
  type KvListRequest,
  type KvPlace,
  type KvPut,
  type LogAppend,
  type LogTrim,
  type QueuePush,
  type QueueReceipt,
  type StoreOperation,
  ToolInputError,
} from "../../../core/index.js";
import {
  DEFAULT_CLAIM_ENTRIES,
  DEFAULT_PAGE_ENTRIES,
  MAX_CLAIM_ENTRIES,
  MAX_PAGE_ENTRIES,
  MAX_PARTS,
  MAX_WRITE_BYTES,
  writeTooLarge,
} from "../refusals.js";
import {
  checkCount,
  checkDelay,
  checkLimit,
  checkName,
  checkPrefix,
  checkSpan,
  type EncodedValue,
  encodeValue,
} from "./check.js";

const RECEIPT_FORM = /^([1-9]\d{0,15})\.([1-9]\d{0,15})$/;
const PAGE = { fallback: DEFAULT_PAGE_ENTRIES, max: MAX_PAGE_ENTRIES };
const CLAIM = { fallback: DEFAULT_CLAIM_ENTRIES, max: MAX_CLAIM_ENTRIES };

export type ReadPut = ReturnType<typeof readPut>;
export type ReadDelete = ReturnType<typeof readDelete>;
export type ReadList = ReturnType<typeof readList>;
export type ReadAppend = ReturnType<typeof readAppend>;
export type ReadTrim = ReturnType<typeof readTrim>;
export type ReadPush = ReturnType<typeof readPush>;
export type ReadReceipt = ReturnType<typeof readReceipt>;
export type ReadOperation = ReturnType<typeof readOperation>;

export function readPlace({ space, key }: KvPlace) {
  return { space: checkName("space", space), key: checkName("key", key) };
}

export function readPut(put: KvPut) {
  return {
    ...readPlace(put),
    expectRevision: optional(put.expectRevision, (value) => checkCount("expectRevision", value)),
    ttlMs: optional(put.ttlMs, (value) => checkSpan("ttlMs", value)),
    value: encodeValue(put.value),
  };
}

export function readDelete(target: KvDelete) {
  return {
    ...readPlace(target),
    expectRevision: optional(target.expectRevision, (value) => checkCount("expectRevision", value)),
  };
}

export function readList({ space, prefix, after, limit }: KvListRequest) {
  return {
    space: checkName("space", space),
    prefix: checkPrefix(prefix),
    after: optional(after, (value) => checkName("after", value)),
    limit: checkLimit(limit, PAGE),
  };
}

export function readAppend({ stream, records, expectLast }: LogAppend) {
  assertParts("records", records);
  const values: EncodedValue[] = [];
  let bytes = 0;
  for (const record of records) {
    const value = encodeValue(record);
    bytes += value.bytes;
    if (bytes > MAX_WRITE_BYTES) throw writeTooLarge();
    values.push(value);
  }
  return {
    stream: checkName("stream", stream),
    values,
    bytes,
    expectLast: optional(expectLast, (value) => checkCount("expectLast", value)),
  };
}

/** `from` is exclusive: the sequence number before the first, or behind the last, that is wanted. */
export function readLogPage(request: { stream: unknown; from: unknown; limit: unknown }) {
  return {
    stream: checkName("stream", request.stream),
    from: optional(request.from, (value) => checkCount("sequence", value)),
    limit: checkLimit(request.limit, PAGE),
  };
}

export function readTrim({ stream, through, keepLast, maxAgeMs }: LogTrim) {
  return {
    stream: checkName("stream", stream),
    through: optional(through, (value) => checkCount("through", value)),
    keepLast: optional(keepLast, (value) => checkCount("keepLast", value)),
    maxAgeMs: optional(maxAgeMs, (value) => checkSpan("maxAgeMs", value)),
  };
}

export function readAcquire(request: { name: unknown; holder: unknown; ttlMs: unknown }) {
  return {
    name: checkName("name", request.name),
    holder: checkName("holder", request.holder),
    ttlMs: checkSpan("ttlMs", request.ttlMs),
  };
}

export function readHeld(request: { name: unknown; token: unknown }) {
  return { name: checkName("name", request.name), token: checkCount("token", request.token) };
}

export function readPush({ queue, value, delayMs, ttlMs }: QueuePush) {
  return {
    queue: checkName("queue", queue),
    value: encodeValue(value),
    delayMs: checkDelay(delayMs),
    ttlMs: optional(ttlMs, (span) => checkSpan("ttlMs", span)),
  };
}

export function readClaim(request: { queue: unknown; visibilityMs: unknown; limit: unknown }) {
  return {
    queue: checkName("queue", request.queue),
    visibilityMs: checkSpan("visibilityMs", request.visibilityMs),
    limit: checkLimit(request.limit, CLAIM),
  };
}

export function readReceipt({ queue, receipt }: QueueReceipt) {
  const [, id, attempt] = RECEIPT_FORM.exec(checkName("receipt", receipt)) ?? [];
  return {
    queue: checkName("queue", queue),
    receipt,
    /** Those of no entry when the text is not a receipt of ours. */
    id: Number(id ?? 0),
    attempt: Number(attempt ?? 0),
  };
}

export function toReceipt({ id, attempt }: { readonly id: number; readonly attempt: number }) {
  return `${id}.${attempt}`;
}

function readOperation(operation: StoreOperation) {
  const { kind } = operation;
  switch (kind) {
    case "kv.put":
      return { kind, ...readPut(operation) };
    case "kv.delete":
      return { kind, ...readDelete(operation) };
    case "kv.check":
      return { kind, ...readDelete(operation) };
    case "log.append":
      return { kind, ...readAppend(operation) };
    case "queue.push":
      return { kind, ...readPush(operation) };
    case "queue.acknowledge":
      return { kind, ...readReceipt(operation) };
    case "queue.release":
      return { kind, ...readReceipt(operation), delayMs: checkDelay(operation.delayMs) };
    case "lease.check":
      return { kind, ...readHeld(operation) };
    default:
      throw requestInvalid(
        `"kind" is none of the known operations: ${String(kind satisfies never)}`,
      );
  }
}

export function readOperations(operations: readonly StoreOperation[]) {
  assertParts("operations", operations);
  const read: ReadOperation[] = [];
  let bytes = 0;
  for (const operation of operations) {
    const part = readOperation(operation);
    bytes += bytesOf(part);
    if (bytes > MAX_WRITE_BYTES) throw writeTooLarge();
    read.push(part);
  }
  return { operations: read, bytes };
}

function bytesOf(operation: ReadOperation): number {
  if (operation.kind === "log.append") return operation.bytes;
  return "value" in operation ? operation.value.bytes : 0;
}

function assertParts(what: string, parts: readonly unknown[]): void {
  if (Array.isArray(parts) && parts.length >= 1 && parts.length <= MAX_PARTS) return;
  throw requestInvalid(`"${what}" must be a list of 1 to ${MAX_PARTS}`);
}

function requestInvalid(why: string): ToolInputError {
  return new ToolInputError(`The store cannot take this request: ${why}.`, {
    reason: "request_invalid",
  });
}

function optional<Read>(value: unknown, read: (value: unknown) => Read): Read | undefined {
  return value === undefined ? undefined : read(value);
}
