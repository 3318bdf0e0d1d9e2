// The connection over time: opened at its first use, opened again after a failure or when its files
// were removed, closed at the end. What is done with it is left to others.

import { type BusyPorts, createPatience, retryWhileBusy } from "./busy.js";
import type { Database } from "./database.js";
import { openDatabase } from "./open-database.js";
import { isBusy, toStoreError } from "./sqlite-errors.js";

/** A connection that met one of these is as good as before; after any other a new one is made. */
const HARMLESS_REASONS = ["store_full", "store_busy"];
const MAX_REOPENS = 2;

export interface Connection {
  /** `work` must have done nothing when it throws because of a lock. */
  read<Value>(work: (database: Database) => Value): Promise<Value>;
  /**
   * Does the work at once, which is possible for by far the most; false: nothing was done, because
   * nothing is open yet, another connection holds the lock, or the files have been removed.
   */
  tryWrite(work: (database: Database) => void): boolean;
  /** As `tryWrite`, but opens and waits as long as it must. */
  write(work: (database: Database) => void): Promise<void>;
  /** Brings what was committed before to the disk; nothing to do when nothing was opened. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface ConnectionOptions extends Omit<BusyPorts, "patience"> {
  readonly maxBytes: number | undefined;
}

export function createConnection(given: ConnectionOptions): Connection {
  const options = { ...given, patience: createPatience(given.clock) };
  const { file } = options;
  let current: Database | undefined;
  let opening: Promise<Database> | undefined;
  let wasOpened = false;

  async function openOnce(): Promise<Database> {
    try {
      current = await openDatabase(options);
      wasOpened = true;
      return current;
    } finally {
      opening = undefined;
    }
  }

  async function open(): Promise<Database> {
    opening ??= openOnce();
    return opening;
  }

  /** The failure, if there was one. */
  function drop(): unknown {
    const dropped = current;
    current = undefined;
    return dropped?.close();
  }

  /** Every failure leaves here as a typed error. */
  async function use<Value>(work: (database: Database) => Value): Promise<Value> {
    try {
      // Another failure may drop the connection while this waits for a lock.
      return await retryWhileBusy(async () => work(current ?? (await open())), options);
    } catch (thrown) {
      throw fail(thrown);
    }
  }

  function tryWrite(work: (database: Database) => void): boolean {
    if (current === undefined) return false;
    try {
      work(current);
    } catch (thrown) {
      if (isBusy(thrown)) return false;
      throw fail(thrown);
    }
    options.patience.regain();
    if (!current.isGone()) return true;
    drop();
    return false;
  }

  function fail(thrown: unknown): unknown {
    const error = toStoreError(thrown, file);
    // Closing what has failed may fail too; the first error is the one to tell.
    if (!HARMLESS_REASONS.includes(error.reason ?? "")) drop();
    return error;
  }

  return {
    async read(work) {
      try {
        if (current !== undefined) return work(current);
      } catch (thrown) {
        if (!isBusy(thrown)) throw fail(thrown);
      }
      return use(work);
    },
    tryWrite,
    async write(work) {
      for (let reopens = 0; ; reopens++) {
        const isGone = await use((database) => {
          work(database);
          return database.isGone();
        });
        options.patience.regain();
        if (!isGone) return;
        drop();
        if (reopens >= MAX_REOPENS) {
          throw toStoreError(Object.assign(new Error("removed"), { code: "ENOENT" }), file);
        }
      }
    },
    async sync() {
      try {
        if (wasOpened) await (current ?? (await open())).sync();
      } catch (thrown) {
        // What the system could not write it may have forgotten: a new connection takes stock.
        drop();
        throw toStoreError(thrown, file);
      }
    },
    async close() {
      await opening?.catch(() => undefined);
      const failure = drop();
      if (failure !== undefined) throw toStoreError(failure, file);
    },
  };
}
