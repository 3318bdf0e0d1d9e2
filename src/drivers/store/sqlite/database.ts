// One open connection: statements prepared once, transactions, and the sync of what was committed.
import { closeSync, existsSync, fdatasync, fstatSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  closeAttached,
  prepareOnce,
  type SqliteConnection,
  type SqliteStatement,
} from "../../../lib/system/sqlite.js";
import { loadSqliteFor } from "../../sqlite.js";
import { toStoreError } from "./sqlite-errors.js";

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

interface OpenFiles {
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

/** Marks the file as ours: "claw" in ASCII. */
export const APPLICATION_ID = 0x636c6177;
/** Bits of a log id for the sequence number; the bits above are the stream. */
export const SEQUENCE_BITS = 40;

/**
 * The id of a log record is its stream and its sequence number in one: the records of a stream lie
 * side by side, and an append touches one page. `trimmed` of a stream is the last sequence number
 * that was removed; when records are left, the newest of them is the last.
 */
const VERSION_1 = `
CREATE TABLE state.migrations (
  version INTEGER PRIMARY KEY,
  applied_at_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE state.counters (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO state.counters (name, value) VALUES ('revision', 0);
CREATE TABLE state.kv (
  id INTEGER PRIMARY KEY,
  space TEXT NOT NULL,
  key TEXT NOT NULL,
  revision INTEGER NOT NULL,
  expires_at_ms INTEGER,
  value TEXT NOT NULL,
  UNIQUE (space, key)
) STRICT;
CREATE INDEX state.kv_expiry ON kv (expires_at_ms) WHERE expires_at_ms IS NOT NULL;
CREATE TABLE state.streams (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  trimmed INTEGER NOT NULL
) STRICT;
CREATE TABLE state.log (
  id INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  value TEXT NOT NULL
) STRICT;
CREATE TABLE state.leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  token INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE state.queue (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  queue TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  held INTEGER NOT NULL,
  pushed_at_ms INTEGER NOT NULL,
  visible_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER,
  value TEXT NOT NULL
) STRICT;
CREATE INDEX state.queue_order ON queue (queue, visible_at_ms, id);
CREATE INDEX state.queue_expiry ON queue (expires_at_ms) WHERE expires_at_ms IS NOT NULL;
`;

/** The step at index n leads from version n to n + 1. */
export const MIGRATIONS: readonly string[] = [VERSION_1];
const BUSY_LIMIT_MS = 5_000;

/** Makes `to`, whose folder must be private. False when the database does not exist yet. */
export async function copyDatabase(folder: string, to: string): Promise<boolean> {
  const file = join(folder, DATABASE_NAME);
  if (!existsSync(file)) return false;
  const openSqlite = await loadSqliteFor(WITHOUT_SQLITE);
  const connection = openSqlite(file);
  try {
    connection.exec(`PRAGMA busy_timeout = ${BUSY_LIMIT_MS}`);
    connection.prepare("VACUUM INTO ?").run(to);
    return true;
  } catch (error) {
    throw toStoreError(error, file);
  } finally {
    connection.close();
  }
}

export const DATABASE_NAME = "state.db";
export const WITHOUT_SQLITE = "State cannot be kept";
