// One open connection: statements prepared once, transactions, and the sync of what was committed.

import { closeSync, fdatasync, fstatSync } from "node:fs";
import { promisify } from "node:util";
import {
  closeAttached,
  prepareOnce,
  type SqliteConnection,
  type SqliteStatement,
} from "../../../lib/system/sqlite.js";

const syncData = promisify(fdatasync);

export interface Database {
  /** The same statement for the same text. */
  statement(sql: string): SqliteStatement;
  /**
   * Runs `work` as a whole or not at all, or as a part of the transaction that is under way; throws
   * at once when another connection is writing.
   */
  transact<Value>(work: () => Value): Value;
  /** What `work` did is taken back when it throws, and nothing else of a transaction under way. */
  attempt<Value>(work: () => Value): Value;
  /** Ids of streams, which never change; forgotten when a transaction is taken back. */
  readonly streamIds: Map<string, number>;
  /** Brings all that was committed to the disk. */
  sync(): Promise<void>;
  /** The files were removed under us: what is written now is lost. */
  isGone(): boolean;
  /** The failure, if there was one; it is closed in any case. */
  close(): unknown;
}

export interface OpenFiles {
  readonly connection: SqliteConnection;
  /**
   * A descriptor of the write-ahead log. Committed pages lie there until a checkpoint, which syncs
   * them itself before it may overwrite them; so one sync of this file is enough at all times. It
   * is the same file while the connection is open: only the last one to close removes it.
   */
  readonly walHandle: number;
}

export function createDatabase({ connection, walHandle }: OpenFiles): Database {
  const statement = prepareOnce(connection);
  const streamIds = new Map<string, number>();
  let isOpen = true;
  let syncs = 0;

  /** Not under a sync that is under way: the number could be that of another file by then. */
  function closeHandle(): void {
    if (!isOpen && syncs === 0) closeSync(walHandle);
  }

  function transact<Value>(work: () => Value): Value {
    if (connection.isTransaction) return work();
    statement("BEGIN IMMEDIATE").run();
    try {
      const value = work();
      statement("COMMIT").run();
      return value;
    } catch (error) {
      streamIds.clear();
      // Some errors, such as a full disk, have ended the transaction already.
      if (connection.isTransaction) statement("ROLLBACK").run();
      throw error;
    }
  }

  return {
    statement,
    transact,
    attempt(work) {
      if (!connection.isTransaction) return transact(work);
      statement("SAVEPOINT part").run();
      try {
        return work();
      } catch (error) {
        streamIds.clear();
        if (connection.isTransaction) statement("ROLLBACK TO part").run();
        throw error;
      } finally {
        if (connection.isTransaction) statement("RELEASE part").run();
      }
    },
    streamIds,
    async sync() {
      syncs++;
      try {
        await syncData(walHandle);
      } finally {
        syncs--;
        closeHandle();
      }
    },
    isGone: () => fstatSync(walHandle).nlink === 0,
    close() {
      if (!isOpen) return undefined;
      isOpen = false;
      closeHandle();
      return closeAttached(connection, "state");
    },
  };
}
