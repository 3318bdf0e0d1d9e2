// A copy of the state database as it is at one moment, while other processes go on writing.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadSqlite } from "../../../lib/system/sqlite.js";
import { sqliteMissing } from "../refusals.js";
import { DATABASE_NAME } from "./create-store.js";
import { toStoreError } from "./sqlite-errors.js";

const BUSY_LIMIT_MS = 5_000;

/** Makes `to`, whose folder must be private. False when the database does not exist yet. */
export async function copyDatabase(folder: string, to: string): Promise<boolean> {
  const file = join(folder, DATABASE_NAME);
  if (!existsSync(file)) return false;
  const openSqlite = await loadSqlite(sqliteMissing);
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
