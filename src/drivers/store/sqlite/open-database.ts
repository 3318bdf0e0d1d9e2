// Opens the state database: makes folder and file for this user alone, refuses what is not ours or
// of a later version, and brings an older one up to date.

import { openSync } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { ToolError } from "../../../core/index.js";
import { closeAttached, loadSqlite, type SqliteConnection } from "../../../lib/system/sqlite.js";
import { sqliteMissing } from "../refusals.js";
import { type BusyPorts, retryWhileBusy } from "./busy.js";
import { createDatabase, type Database } from "./database.js";
import { makePrivateFile } from "./private-file.js";
import { APPLICATION_ID, MIGRATIONS } from "./schema.js";
import { integerOf, textOf } from "./tables/row.js";

const PAGE_BYTES = 4_096;
/** The write-ahead log is cut to this when it starts over. */
const MAX_IDLE_WAL_BYTES = 16 * 1024 * 1024;

export interface OpenRequest extends BusyPorts {
  /** The database may not grow beyond; without it only the disk is the limit. */
  readonly maxBytes: number | undefined;
}

export async function openDatabase(request: OpenRequest): Promise<Database> {
  const openSqlite = await loadSqlite(sqliteMissing);
  await makePrivateFile(request.file);
  // Where it is a link, SQLite's other files lie next to the file it leads to.
  const file = await realpath(request.file);
  const connection = openSqlite(":memory:");
  try {
    await retryWhileBusy(() => attach(connection, file), request);
    await retryWhileBusy(() => assertOurs(connection, file), request);
    await retryWhileBusy(() => configure(connection, request), request);
    await retryWhileBusy(() => migrate(connection, request), request);
    const walHandle = openSync(`${file}-wal`, "r+");
    await syncFolder(dirname(file));
    return createDatabase({ connection, walHandle });
  } catch (error) {
    closeAttached(connection, "state");
    throw error;
  }
}

function attach(connection: SqliteConnection, file: string): void {
  connection.prepare("ATTACH DATABASE ? AS state").run(file);
}

function assertOurs(connection: SqliteConnection, file: string): void {
  // In this order: another process may fill it meanwhile, and marks it with the same commit.
  if (!isEmpty(connection) && readNumber(connection, "application_id") !== APPLICATION_ID) {
    throw new ToolError(
      "unavailable",
      `"${file}" is the database of another program; move it away or choose another state folder.`,
      { reason: "store_foreign" },
    );
  }
  const version = readNumber(connection, "user_version");
  if (version <= MIGRATIONS.length) return;
  throw new ToolError(
    "unavailable",
    `The state file "${file}" has version ${version}, and this program knows ${MIGRATIONS.length} at most; update the program or choose another state folder.`,
    { reason: "store_newer", details: { version } },
  );
}

function isEmpty(connection: SqliteConnection): boolean {
  const row = connection.prepare("SELECT count(*) AS count FROM state.sqlite_schema").get();
  return integerOf(row, "count") === 0;
}

function configure(connection: SqliteConnection, { file, maxBytes }: OpenRequest): void {
  const mode = connection.prepare("PRAGMA state.journal_mode = WAL").get();
  if (textOf(mode, "journal_mode") !== "wal") {
    throw new ToolError(
      "unavailable",
      `The state file "${file}" is on a file system without shared memory, such as a network drive; choose a local state folder.`,
      { reason: "store_unreachable" },
    );
  }
  connection.exec(`
    PRAGMA state.synchronous = NORMAL;
    PRAGMA state.journal_size_limit = ${MAX_IDLE_WAL_BYTES};
    PRAGMA checkpoint_fullfsync = ON;
    PRAGMA trusted_schema = OFF;
  `);
  if (maxBytes !== undefined) {
    connection.exec(`PRAGMA state.max_page_count = ${Math.ceil(maxBytes / PAGE_BYTES)}`);
  }
}

function migrate(connection: SqliteConnection, { clock, file }: OpenRequest): void {
  if (readNumber(connection, "user_version") === MIGRATIONS.length) return;
  connection.exec("BEGIN IMMEDIATE");
  try {
    // Read again under the lock: another process may have done it, or be of a later version.
    assertOurs(connection, file);
    const from = readNumber(connection, "user_version");
    for (const [index, step] of MIGRATIONS.entries()) {
      if (index < from) continue;
      connection.exec(step);
      connection.exec(
        `INSERT INTO state.migrations (version, applied_at_ms) VALUES (${index + 1}, ${Math.floor(clock.now())})`,
      );
    }
    connection.exec(`PRAGMA state.application_id = ${APPLICATION_ID}`);
    connection.exec(`PRAGMA state.user_version = ${MIGRATIONS.length}`);
    connection.exec("COMMIT");
  } finally {
    if (connection.isTransaction) connection.exec("ROLLBACK");
  }
}

function readNumber(connection: SqliteConnection, pragma: "user_version" | "application_id") {
  return integerOf(connection.prepare(`PRAGMA state.${pragma}`).get(), pragma);
}

/** The names of new files are on the disk only when their folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
