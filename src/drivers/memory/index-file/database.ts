// One connection to the index: statements prepared once, and transactions that may last over several
// turns of the event loop.

import {
  closeAttached,
  type OpenSqlite,
  prepareOnce,
  type SqliteConnection,
  type SqliteStatement,
} from "../../../lib/system/sqlite.js";
import { OWN_TABLES, SCHEMA } from "./schema.js";

const PAGE_BYTES = 4_096;
const CACHE_KIB = 32_768;
/** Fewer than usual while a whole index is written. */
const PAGES_PER_CHECKPOINT = 4_000;
const MAX_IDLE_WAL_BYTES = 16 * 1024 * 1024;

export interface Database {
  /** The same statement for the same text. */
  statement(sql: string): SqliteStatement;
  exec(sql: string): void;
  /** Throws at once when another connection is writing. */
  begin(): void;
  commit(): void;
  /** Nothing happens when no transaction is under way. */
  rollback(): void;
  /** Never throws. */
  close(): void;
}

export interface DatabaseRequest {
  readonly openSqlite: OpenSqlite;
  /** Absolute; undefined is one in memory. */
  readonly file: string | undefined;
  /** It may not grow beyond; without it only the disk is the limit. */
  readonly maxBytes?: number | undefined;
}

/** The connection itself is in memory and the file is attached: what is detached is closed at once. */
export function openDatabase({ openSqlite, file, maxBytes }: DatabaseRequest): Database {
  const connection = openSqlite(":memory:");
  try {
    connection.prepare("ATTACH DATABASE ? AS notes").run(file ?? ":memory:");
    connection.exec(`
      PRAGMA notes.journal_mode = WAL;
      PRAGMA notes.synchronous = NORMAL;
      PRAGMA notes.cache_size = -${CACHE_KIB};
      PRAGMA notes.wal_autocheckpoint = ${PAGES_PER_CHECKPOINT};
      PRAGMA notes.journal_size_limit = ${MAX_IDLE_WAL_BYTES};
      PRAGMA trusted_schema = OFF;
      PRAGMA temp_store = MEMORY;
    `);
    if (maxBytes !== undefined)
      connection.exec(`PRAGMA notes.max_page_count = ${Math.ceil(maxBytes / PAGE_BYTES)}`);
    return createDatabase(connection);
  } catch (error) {
    closeAttached(connection, "notes");
    throw error;
  }
}

/** Throws when another connection is writing. */
export function makeTables(database: Database): void {
  database.begin();
  try {
    database.exec(SCHEMA);
    database.commit();
  } finally {
    database.rollback();
  }
}

export function makeOwnTables(database: Database): void {
  database.exec(OWN_TABLES);
}

function createDatabase(connection: SqliteConnection): Database {
  return {
    statement: prepareOnce(connection),
    exec: (sql) => connection.exec(sql),
    begin: () => connection.exec("BEGIN IMMEDIATE"),
    commit: () => connection.exec("COMMIT"),
    rollback() {
      // Some errors, such as a full disk, have ended the transaction already.
      if (connection.isTransaction) connection.exec("ROLLBACK");
    },
    close: () => void closeAttached(connection, "notes"),
  };
}
