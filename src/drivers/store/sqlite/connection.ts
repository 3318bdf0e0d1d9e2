// The connection over time: opened at its first use, opened again after a failure or when its files
// were removed, closed at the end. What is done with it is left to others.

import { openSync } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { ToolError } from "../../../core/index.js";
import { closeAttached, type SqliteConnection } from "../../../lib/system/sqlite.js";
import { isBusy, loadSqliteFor, makePrivateFile, numberOf, textOf } from "../../sqlite.js";
import {
  APPLICATION_ID,
  createDatabase,
  type Database,
  MIGRATIONS,
  WITHOUT_SQLITE,
} from "./database.js";
import { type BusyPorts, createPatience, retryWhileBusy, toStoreError } from "./sqlite-errors.js";

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

interface ConnectionOptions extends Omit<BusyPorts, "patience"> {
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

const PAGE_BYTES = 4_096;
/** The write-ahead log is cut to this when it starts over. */
const MAX_IDLE_WAL_BYTES = 16 * 1024 * 1024;

interface OpenRequest extends BusyPorts {
  /** The database may not grow beyond; without it only the disk is the limit. */
  readonly maxBytes: number | undefined;
}

async function openDatabase(request: OpenRequest): Promise<Database> {
  const openSqlite = await loadSqliteFor(WITHOUT_SQLITE);
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
  return numberOf(row, "count") === 0;
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
  return numberOf(connection.prepare(`PRAGMA state.${pragma}`).get(), pragma);
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
