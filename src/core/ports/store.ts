// The port for durable state: values, logs, leases and queues. Records are never half written.

/** When a write counts as done. */
export type Durability = "process" | "disk";

export interface StoreWriteOptions {
  /** Default `process`. */
  readonly durability?: Durability | undefined;
  /** Gives a write up that has not begun yet; one that has begun ends as it ends. */
  readonly signal?: AbortSignal | undefined;
}

/** Where a keyed value is. Names are any text but NUL and half characters, 1 to 1,024 bytes. */
export interface KvPlace {
  readonly space: string;
  readonly key: string;
}

export interface KvCondition {
  /** Write only over this revision; 0: only where nothing is. Without it: over anything. */
  readonly expectRevision?: number | undefined;
}

export interface KvPut extends KvPlace, KvCondition {
  /** Plain JSON: what is read back is equal to it. Properties that are undefined are left out. */
  readonly value: unknown;
  /** Gone after that long; without it the value stays. */
  readonly ttlMs?: number | undefined;
}

export interface KvDelete extends KvPlace, KvCondition {}

export interface KvEntry {
  readonly key: string;
  readonly value: unknown;
  /** Grows with each write, and is never used twice in a store, also not after a delete. */
  readonly revision: number;
  readonly expiresAtMs: number | undefined;
}

export interface KvListRequest {
  readonly space: string;
  readonly prefix?: string | undefined;
  /** Only keys behind this one: `next` of the page before. */
  readonly after?: string | undefined;
  /** At most this many entries; default 100, at most 1,000. */
  readonly limit?: number | undefined;
}

export interface KvPage {
  /** In the order of their code points. */
  readonly entries: readonly KvEntry[];
  /** Give it as `after` for the next page; undefined when there is none. */
  readonly next: string | undefined;
}

export interface KvStore {
  get(place: KvPlace): Promise<KvEntry | undefined>;
  /** Throws `conflict` / `revision_mismatch` when `expectRevision` is not the one that is there. */
  put(put: KvPut & StoreWriteOptions): Promise<{ readonly revision: number }>;
  /** Whether something was there. Throws as `put` does. */
  delete(target: KvDelete & StoreWriteOptions): Promise<boolean>;
  list(request: KvListRequest): Promise<KvPage>;
}

export interface LogAppend {
  readonly stream: string;
  /** Plain JSON each; all of them are appended, one behind the other, or none. 1 to 1,000. */
  readonly records: readonly unknown[];
  /** Append only when this is the last sequence number of the stream; 0: when it is empty. */
  readonly expectLast?: number | undefined;
}

export interface LogRecord {
  /** From 1 on, without gaps in a stream, and never used twice, also not after a trim. */
  readonly sequence: number;
  readonly value: unknown;
  readonly atMs: number;
}

export interface LogPage {
  readonly records: readonly LogRecord[];
  /** Give it as `after` (or `before`) for the next page; undefined when there is none. */
  readonly next: number | undefined;
}

export interface LogTrim {
  readonly stream: string;
  /** Removes the records up to this sequence number. */
  readonly through?: number | undefined;
  /** Removes all but the newest that many. */
  readonly keepLast?: number | undefined;
  /** Removes what is older. */
  readonly maxAgeMs?: number | undefined;
}

export interface LogStore {
  /** Throws `conflict` / `sequence_mismatch` when `expectLast` is not the last one. */
  append(
    append: LogAppend & StoreWriteOptions,
  ): Promise<{ readonly firstSequence: number; readonly lastSequence: number }>;
  /** Oldest first. `limit`: default 100, at most 1,000. */
  read(request: {
    readonly stream: string;
    readonly after?: number | undefined;
    readonly limit?: number | undefined;
  }): Promise<LogPage>;
  /** Newest first. `limit`: default 100, at most 1,000. */
  readLast(request: {
    readonly stream: string;
    readonly before?: number | undefined;
    readonly limit?: number | undefined;
  }): Promise<LogPage>;
  /** Removes what any of the given bounds covers, always from the oldest on; how many went. */
  trim(trim: LogTrim & StoreWriteOptions): Promise<number>;
}

export interface Lease {
  readonly name: string;
  /** Who holds it, in the holder's own words. */
  readonly holder: string;
  /** Larger than every token given before in this store, also over expiry and restart. */
  readonly token: number;
  readonly expiresAtMs: number;
}

export interface LeaseStore {
  /** Throws `conflict` / `lease_held` while it is held, anyone who holds it. */
  acquire(
    request: {
      readonly name: string;
      readonly holder: string;
      readonly ttlMs: number;
    } & StoreWriteOptions,
  ): Promise<Lease>;
  /** Throws `conflict` / `lease_lost` when the token is not (any more) that of the holder. */
  renew(
    request: {
      readonly name: string;
      readonly token: number;
      readonly ttlMs: number;
    } & StoreWriteOptions,
  ): Promise<Lease>;
  /** Whether it was still held with this token. */
  release(
    request: { readonly name: string; readonly token: number } & StoreWriteOptions,
  ): Promise<boolean>;
  /** undefined when no one holds it. */
  read(name: string): Promise<Lease | undefined>;
}

export interface QueuePush {
  readonly queue: string;
  readonly value: unknown;
  /** Not given out before that long; default 0. */
  readonly delayMs?: number | undefined;
  /** Dropped after that long when no one has acknowledged it; without it the entry stays. */
  readonly ttlMs?: number | undefined;
}

export interface QueueReceipt {
  readonly queue: string;
  readonly receipt: string;
}

export interface QueueEntry {
  readonly id: string;
  /** Names this delivery; the next one of the same entry has another. */
  readonly receipt: string;
  readonly value: unknown;
  /** 1 for the first delivery. */
  readonly attempt: number;
  readonly pushedAtMs: number;
  /** When it is given out again unless it is acknowledged before. */
  readonly visibleAtMs: number;
}

export interface QueueStore {
  push(push: QueuePush & StoreWriteOptions): Promise<{ readonly id: string }>;
  /** What became available first, hidden from others for `visibilityMs`. */
  claim(
    request: {
      readonly queue: string;
      readonly visibilityMs: number;
      readonly limit?: number | undefined;
    } & StoreWriteOptions,
  ): Promise<readonly QueueEntry[]>;
  /** Removes the entry. Throws `conflict` / `receipt_stale` when it was given out again or is gone. */
  acknowledge(receipt: QueueReceipt & StoreWriteOptions): Promise<void>;
  /** Keeps the entry hidden for `visibilityMs` from now on. Throws as `acknowledge` does. */
  extend(
    receipt: QueueReceipt & { readonly visibilityMs: number } & StoreWriteOptions,
  ): Promise<{ readonly visibleAtMs: number }>;
  /** Gives the entry back, for others to claim after `delayMs`. Throws as `acknowledge` does. */
  release(
    receipt: QueueReceipt & { readonly delayMs?: number | undefined } & StoreWriteOptions,
  ): Promise<void>;
}

export type StoreOperation =
  | ({ readonly kind: "kv.put" } & KvPut)
  | ({ readonly kind: "kv.delete" } & KvDelete)
  /** Writes nothing; refuses the rest unless this revision is there. */
  | ({ readonly kind: "kv.check"; readonly expectRevision: number } & KvPlace)
  | ({ readonly kind: "log.append" } & LogAppend)
  | ({ readonly kind: "queue.push" } & QueuePush)
  | ({ readonly kind: "queue.acknowledge" } & QueueReceipt)
  | ({ readonly kind: "queue.release"; readonly delayMs?: number | undefined } & QueueReceipt)
  /** Holds the rest back when the lease was lost: the fence of a stale holder. */
  | { readonly kind: "lease.check"; readonly name: string; readonly token: number };

/** What one operation of a transaction did; the fields of its kind are there. */
export interface StoreOutcome {
  /** `kv.put` */
  readonly revision?: number;
  /** `log.append` */
  readonly firstSequence?: number;
  readonly lastSequence?: number;
  /** `queue.push` */
  readonly id?: string;
  /** `kv.delete`: something was there. */
  readonly wasThere?: boolean;
}

export type StoreTopic =
  | { readonly kind: "kv"; readonly space: string }
  | { readonly kind: "log"; readonly stream: string }
  | { readonly kind: "queue"; readonly queue: string }
  | { readonly kind: "lease"; readonly name: string };

export interface Store {
  readonly kv: KvStore;
  readonly log: LogStore;
  readonly lease: LeaseStore;
  readonly queue: QueueStore;
  /** All operations, in this order, or none: the first that is refused is thrown. */
  transact(
    operations: readonly StoreOperation[],
    options?: StoreWriteOptions,
  ): Promise<readonly StoreOutcome[]>;
  /**
   * Calls `onChange` soon after each change of the topic, by this process or another, and whenever one
   * may have been missed: a hint to read again, not a change. Several changes may give one hint.
   */
  watch(topic: StoreTopic, onChange: () => void): { close(): void };
  /** The clock by which leases, delays and expiry are counted, in milliseconds. */
  now(): Promise<number>;
  /** Fulfilled when all that was acknowledged before is on the disk. */
  sync(): Promise<void>;
  /** Removes what has expired, which no one sees any more anyway. */
  sweep(): Promise<number>;
  /** What was begun is ended first; later calls answer `unavailable` / `store_closed`. */
  close(): Promise<void>;
}
