// The one place of this driver that loads SQLite, and what is used of it.

import { ToolError } from "../../../core/index.js";
import { loadPackage } from "../../../lib/system/load-package.js";

export type SqliteValue = string | number | null | Uint8Array;

export interface SqliteStatement {
  run(...values: SqliteValue[]): { readonly lastInsertRowid: number | bigint };
  get(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
}

export interface SqliteConnection {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
  readonly isTransaction: boolean;
}

/** Opens a connection that never waits for a lock. */
export type OpenSqlite = (location: string) => SqliteConnection;

export async function loadSqlite(): Promise<OpenSqlite> {
  try {
    // Its own types say what it is.
    const { DatabaseSync } = loadPackage(
      "@photostructure/sqlite",
    ) as typeof import("@photostructure/sqlite");
    return (location) => new DatabaseSync(location, { timeout: 0 });
  } catch (cause) {
    throw new ToolError(
      "unavailable",
      "Notes cannot be searched without SQLite: run `npm install @photostructure/sqlite` and restart.",
      { reason: "sqlite_missing", cause },
    );
  }
}
