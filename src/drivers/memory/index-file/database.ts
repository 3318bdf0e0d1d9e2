// One connection to the index: statements prepared once, and transactions that may last over several
// turns of the event loop.

import { setTimeout as delay } from "node:timers/promises";
import {
  closeAttached,
  type OpenSqlite,
  prepareOnce,
  type SqliteConnection,
  type SqliteStatement,
} from "../../../lib/system/sqlite.js";
import { isBusy, judgeTrouble, type SqliteTrouble } from "../../sqlite.js";

const PAGE_BYTES = 4_096;
const CACHE_KIB = 32_768;
const PAGES_PER_CHECKPOINT = 4_000;
const MAX_IDLE_WAL_BYTES = 16 * 1024 * 1024;
const MAX_BUSY_WAIT_MS = 5_000;
const BUSY_RETRY_MS = 20;

export interface Database {
  statement(sql: string): SqliteStatement;
  exec(sql: string): void;
  begin(): void;
  commit(): void;
  rollback(): void;
  /** Never throws. */
  close(): void;
}

interface DatabaseRequest {
  readonly openSqlite: OpenSqlite;
  readonly file: string | undefined;
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

export const INDEX_VERSION = 3;
export const APPLICATION_ID = 0x636c776e;
const TOKENIZER = "porter unicode61 remove_diacritics 2";
const RANK = "bm25(2.0, 1.5, 1.0)";

const SCHEMA = `
  PRAGMA notes.application_id = ${APPLICATION_ID};
  CREATE TABLE IF NOT EXISTS notes.meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS notes.files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    mtime_ms REAL NOT NULL,
    bytes INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    checked_ms REAL NOT NULL,
    hash TEXT NOT NULL,
    chunk_count INTEGER NOT NULL,
    warning TEXT
  );
  CREATE TABLE IF NOT EXISTS notes.chunks (
    id INTEGER PRIMARY KEY,
    file INTEGER NOT NULL,
    start_line INTEGER NOT NULL,
    start_char INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    heading TEXT NOT NULL,
    text TEXT NOT NULL,
    hash TEXT
  );
  CREATE INDEX IF NOT EXISTS notes.chunks_file ON chunks (file);
  CREATE TABLE IF NOT EXISTS notes.vectors (
    hash TEXT NOT NULL,
    model TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (hash, model)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS notes.words (word TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS notes.tainted (
    path TEXT PRIMARY KEY,
    hash TEXT NOT NULL,
    source TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE VIRTUAL TABLE IF NOT EXISTS notes.fts USING fts5 (
    heading, path, body, content = '', contentless_delete = 1, tokenize = '${TOKENIZER}'
  );
  INSERT INTO notes.fts (fts, rank) VALUES ('rank', '${RANK}');
`;

const OWN_TABLES = `
  CREATE VIRTUAL TABLE main.stem USING fts5 (word, content = '', tokenize = '${TOKENIZER}');
  CREATE VIRTUAL TABLE temp.stem_at USING fts5vocab ('main', 'stem', 'instance');
  CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab ('notes', 'fts', 'row');
`;

export const EMPTY = `
  DELETE FROM notes.chunks;
  DELETE FROM notes.files;
  DELETE FROM notes.words;
  INSERT INTO notes.fts (fts) VALUES ('delete-all');
`;

export async function retryWhileBusy<Value>(
  work: () => Value | Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> {
  const beganMs = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const waitedMs = performance.now() - beganMs;
      if (!isBusy(error) || waitedMs > MAX_BUSY_WAIT_MS) throw error;
    }
    await delay(BUSY_RETRY_MS, undefined, { signal });
  }
}

const TROUBLES: Readonly<Partial<Record<SqliteTrouble, string>>> = {
  busy: "another process is writing it",
  damaged: "it is damaged",
  not_sqlite: "it is damaged",
  full: "the disk is full; free some space, it goes on by itself then",
  readonly: "it cannot be written; give this user permission for its folder",
  unreachable: "it cannot be written; give this user permission for its folder",
};

export function describeTrouble(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return TROUBLES[judgeTrouble(error)] ?? said;
}

export function isDamaged(error: unknown): boolean {
  return ["damaged", "not_sqlite"].includes(judgeTrouble(error));
}
