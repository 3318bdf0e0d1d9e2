// Group commit: writes that come in one turn of the event loop share a transaction, and those that
// ask for the disk share a sync. A write that is refused leaves the others as they are.

import { abortError, isToolError, type StoreWriteOptions, ToolError } from "../../../core/index.js";
import { checkWriteOptions } from "../input/check.js";
import { storeClosed } from "../refusals.js";
import type { Connection } from "./connection.js";
import type { Database } from "./database.js";

/** Of one transaction: the event loop stops that long. */
const MAX_GROUP_WRITES = 500;
const MAX_GROUP_BYTES = 4 * 1024 * 1024;
/** Who writes in a loop, one after the other, must not keep all others from their turn. */
const MAX_GROUPS_PER_TURN = 16;
/** Of all writes that wait, for example for a lock. */
export const MAX_WAITING_BYTES = 256 * 1024 * 1024;

export interface Writer {
  /** `work` may throw a ToolError before it has written anything: the write is refused. */
  write<Value>(work: (database: Database) => Value, options: WriteRequest): Promise<Value>;
  /** Fulfilled when all that was committed before is on the disk. */
  sync(): Promise<void>;
  /** Ends what was begun; later writes are refused. */
  close(): Promise<void>;
}

export interface WriteRequest extends StoreWriteOptions {
  /** Of the values. */
  readonly bytes?: number | undefined;
  /** The work makes a transaction itself where it needs one. */
  readonly isSelfContained?: boolean | undefined;
}

interface Job {
  readonly bytes: number;
  readonly wantsDisk: boolean;
  readonly isSelfContained: boolean;
  readonly signal: AbortSignal | undefined;
  /** Does the work, or notes its refusal; throws only what ends the transaction. */
  attempt(database: Database): void;
  settle(): void;
  fail(error: unknown): void;
}

type Outcome<Value> = { readonly value: Value } | { readonly refusal: ToolError };

export function createWriter(connection: Connection): Writer {
  const groupSync = createGroupSync(connection.sync);
  const waiting: Job[] = [];
  const settling = new Set<Promise<void>>();
  let waitingBytes = 0;
  let draining: Promise<void> | undefined;
  let groupsInTurn = 0;
  let isClosed = false;

  function enqueue(job: Job): void {
    waiting.push(job);
    waitingBytes += job.bytes;
    draining ??= drain();
  }

  async function drain(): Promise<void> {
    // What else is called before the event loop is waited for joins in.
    await (groupsInTurn++ < MAX_GROUPS_PER_TURN ? afterMicrotasks() : nextTurn());
    await commitGroup(takeGroup());
    while (waiting.length > 0) {
      await nextTurn();
      await commitGroup(takeGroup());
    }
    draining = undefined;
  }

  /** Node's own queue comes behind all microtasks, with those that they lead to. */
  function afterMicrotasks(): Promise<void> {
    return new Promise((resolve) => process.nextTick(resolve));
  }

  /** Others have their turn first. */
  async function nextTurn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    groupsInTurn = 0;
  }

  function takeGroup(): Job[] {
    let bytes = 0;
    const end = waiting.findIndex((job, index) => {
      bytes += job.bytes;
      return index >= MAX_GROUP_WRITES || (index > 0 && bytes > MAX_GROUP_BYTES);
    });
    const group = waiting.splice(0, end === -1 ? waiting.length : end);
    for (const job of group) waitingBytes -= job.bytes;
    return group.filter((job) => !giveUpAborted(job));
  }

  /** Mostly done at once; otherwise gives what is to be waited for. */
  function commitGroup(jobs: readonly Job[]): Promise<void> | undefined {
    if (jobs.length === 0) return undefined;
    const runAll = (database: Database) => {
      for (const job of jobs) job.attempt(database);
    };
    const isOne = jobs.length === 1 && jobs[0]?.isSelfContained === true;
    const work = isOne ? runAll : (database: Database) => database.transact(() => runAll(database));
    try {
      if (!connection.tryWrite(work)) return commitSlowly(jobs, work);
    } catch (error) {
      return recover(jobs, error);
    }
    settle(jobs);
    return undefined;
  }

  async function commitSlowly(
    jobs: readonly Job[],
    work: (database: Database) => void,
  ): Promise<void> {
    try {
      await connection.write(work);
      settle(jobs);
    } catch (error) {
      await recover(jobs, error);
    }
  }

  function settle(jobs: readonly Job[]): void {
    for (const job of jobs) if (!job.wantsDisk) job.settle();
    const durable = jobs.filter((job) => job.wantsDisk);
    if (durable.length > 0) settleSynced(durable);
  }

  /** The next group need not wait for this sync. */
  function settleSynced(jobs: readonly Job[]): void {
    const synced = groupSync().then(
      () => {
        for (const job of jobs) job.settle();
      },
      (error: unknown) => {
        for (const job of jobs) job.fail(error);
      },
    );
    settling.add(synced);
    synced.finally(() => settling.delete(synced));
  }

  async function recover(jobs: readonly Job[], error: unknown): Promise<void> {
    const reason = isToolError(error) ? error.reason : undefined;
    if (reason === "store_full" && jobs.length > 1) {
      // One that is too large must not take the others with it.
      for (const job of jobs) await commitGroup([job]);
      return;
    }
    for (const job of jobs) job.fail(error);
    // Anyone who waits behind has waited for the same lock as long.
    if (reason === "store_busy") failWaiting(error);
  }

  function failWaiting(error: unknown): void {
    for (const job of waiting.splice(0)) job.fail(error);
    waitingBytes = 0;
  }

  return {
    async write(work, request) {
      if (isClosed) throw storeClosed();
      checkWriteOptions(request);
      const bytes = request.bytes ?? 0;
      if (waitingBytes + bytes > MAX_WAITING_BYTES) throw overloaded();
      return new Promise((resolve, reject) => {
        enqueue(createJob({ work, request, bytes, resolve, reject }));
      });
    },
    sync: groupSync,
    async close() {
      isClosed = true;
      while (draining !== undefined || settling.size > 0) {
        await Promise.all([draining, ...settling]);
      }
    },
  };
}

function createJob<Value>(parts: {
  readonly work: (database: Database) => Value;
  readonly request: WriteRequest;
  readonly bytes: number;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}): Job {
  const { work, request, bytes, resolve, reject } = parts;
  let outcome: Outcome<Value> | undefined;
  return {
    bytes,
    wantsDisk: request.durability === "disk",
    isSelfContained: request.isSelfContained === true,
    signal: request.signal,
    attempt(database) {
      outcome = undefined;
      try {
        outcome = { value: work(database) };
      } catch (error) {
        if (!isToolError(error)) throw error;
        outcome = { refusal: error };
      }
    },
    settle() {
      if (outcome !== undefined && "value" in outcome) resolve(outcome.value);
      else reject(outcome?.refusal);
    },
    fail: reject,
  };
}

function giveUpAborted(job: Job): boolean {
  if (!job.signal?.aborted) return false;
  job.fail(abortError(job.signal));
  return true;
}

function overloaded(): ToolError {
  return new ToolError(
    "unavailable",
    `${MAX_WAITING_BYTES} bytes of writes are waiting for the state database; wait for some of them.`,
    { reason: "store_overloaded" },
  );
}

/** Fulfilled after a sync that began after the call. */
type GroupSync = () => Promise<void>;

export function createGroupSync(sync: () => Promise<void>): GroupSync {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function start(): Promise<void> {
    const own = sync();
    running = own;
    next = undefined;
    const clear = () => {
      if (running === own) running = undefined;
    };
    own.then(clear, clear);
    return own;
  }

  return () => {
    if (running === undefined) return start();
    next ??= running.then(start, start);
    return next;
  };
}
