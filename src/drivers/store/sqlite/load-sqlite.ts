// The one place that loads SQLite. Only what is used of it is named here, so that another package
// with the same shape can take its place.

import { ToolError } from "../../../core/index.js";
import { isOutOfFiles, loadWithRoom } from "../../../lib/open-files.js";
import { loadPackage } from "../../../lib/system/load-package.js";

export type SqliteValue = string | number | null;

export interface SqliteStatement {
  run(...values: SqliteValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  get(...values: SqliteValue[]): unknown;
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

async function importSqlite(): Promise<typeof import("@photostructure/sqlite")> {
  // Its own types say what it is.
  return loadPackage("@photostructure/sqlite") as typeof import("@photostructure/sqlite");
}

export async function loadSqlite(): Promise<OpenSqlite> {
  try {
    const { DatabaseSync } = await loadWithRoom(importSqlite);
    return (location) => new DatabaseSync(location, { timeout: 0 });
  } catch (cause) {
    if (isOutOfFiles(cause)) throw cause;
    throw new ToolError(
      "unavailable",
      "State cannot be kept without SQLite: run `npm install @photostructure/sqlite` and restart.",
      { reason: "sqlite_missing", cause },
    );
  }
}
