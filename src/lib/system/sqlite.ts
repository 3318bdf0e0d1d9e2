// The only place that loads SQLite: prepared statements, orderly close, result codes.

import { isOutOfFiles, loadWithRoom } from "./file-descriptors.js";
import { loadPackage } from "./load-package.js";

const SQLITE_ERROR = "ERR_SQLITE_ERROR";

const CODE_BY_MESSAGE: readonly (readonly [message: RegExp, code: number])[] = [
  [/^access permission denied/, 3],
  [/^database is locked/, 5],
  [/^database table is locked/, 6],
  [/^attempt to write a readonly database/, 8],
  [/^disk I\/O error/, 10],
  [/malformed|^fts5: corrupt/, 11],
  [/^database or disk is full/, 13],
  [/^unable to open database file/, 14],
  [/^file is not a database/, 26],
];

export type SqliteValue = string | number | null | Uint8Array;

export interface SqliteStatement {
  run(...values: SqliteValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  get(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
  iterate(...values: SqliteValue[]): Iterable<unknown>;
}

export interface SqliteConnection {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
  readonly isTransaction: boolean;
}

/** Opens a connection that never waits for a lock. */
export type OpenSqlite = (location: string) => SqliteConnection;

/** Throws what `toError` makes of the cause when the package cannot be loaded. */
export async function loadSqlite(toError: (cause: unknown) => Error): Promise<OpenSqlite> {
  try {
    const { DatabaseSync } = await loadWithRoom(importSqlite);
    return (location) => new DatabaseSync(location, { timeout: 0 });
  } catch (cause) {
    throw isOutOfFiles(cause) ? cause : toError(cause);
  }
}

async function importSqlite(): Promise<typeof import("@photostructure/sqlite")> {
  // Its own types say what it is.
  return loadPackage("@photostructure/sqlite") as typeof import("@photostructure/sqlite");
}

export function prepareOnce(connection: SqliteConnection): (sql: string) => SqliteStatement {
  const statements = new Map<string, SqliteStatement>();
  return (sql) => {
    let found = statements.get(sql);
    if (found === undefined) {
      found = connection.prepare(sql);
      statements.set(sql, found);
    }
    return found;
  };
}

/**
 * The package cannot end a prepared statement, and a remaining one keeps the connection's files open
 * until garbage collection; a detached database is closed at once. Returns the failure, if any.
 */
export function closeAttached(connection: SqliteConnection, name: string): unknown {
  try {
    if (connection.isTransaction) connection.exec("ROLLBACK");
    connection.exec(`DETACH DATABASE ${name}`);
    return undefined;
  } catch (error) {
    return error;
  } finally {
    connection.close();
  }
}

export function sqliteCodeOf(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  const code: unknown = Reflect.get(error, "sqliteExtendedCode") ?? Reflect.get(error, "errcode");
  if (typeof code === "number") return code;
  if (Reflect.get(error, "code") !== SQLITE_ERROR) return 0;
  return CODE_BY_MESSAGE.find(([message]) => message.test(error.message))?.[1] ?? 0;
}

export function isSqliteError(error: unknown): boolean {
  return sqliteCodeOf(error) !== 0 || Reflect.get(Object(error), "code") === SQLITE_ERROR;
}
