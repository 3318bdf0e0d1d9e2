// What the drivers that keep a SQLite database share: loading it, its private file, the columns of its
// rows, and what its errors mean.

import { chmodSync, closeSync, constants, openSync, statSync } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { ToolError } from "../core/index.js";
import { errnoOf } from "../lib/errno.js";
import { makeFolder } from "../lib/make-folder.js";
import { readField } from "../lib/read-field.js";
import { loadSqlite, type OpenSqlite, sqliteCodeOf } from "../lib/system/sqlite.js";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const OTHERS_MASK = 0o077;
/** The low byte of SQLite's result codes. */
const PRIMARY_CODE_MASK = 0xff;
const DAMAGED_CODE = 11;
/** The shared memory next to the database could not grow. */
const IOERR_SHMSIZE = 4_874;

export type SqliteTrouble =
  | "busy"
  | "full"
  | "readonly"
  | "io"
  | "damaged"
  | "not_sqlite"
  | "unreachable"
  | "no_handles"
  | "other";

const BY_CODE: ReadonlyMap<number, SqliteTrouble> = new Map([
  [3, "readonly"],
  [5, "busy"],
  [6, "busy"],
  [8, "readonly"],
  [10, "io"],
  [DAMAGED_CODE, "damaged"],
  [13, "full"],
  [14, "unreachable"],
  [26, "not_sqlite"],
]);

const BY_ERRNO: Readonly<Record<string, SqliteTrouble>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EROFS: "readonly",
  EACCES: "readonly",
  EPERM: "readonly",
  EIO: "io",
  EMFILE: "no_handles",
  ENFILE: "no_handles",
  ENOTDIR: "unreachable",
  EEXIST: "unreachable",
  ENOENT: "unreachable",
  ELOOP: "unreachable",
  ENAMETOOLONG: "unreachable",
};

export function judgeTrouble(error: unknown): SqliteTrouble {
  const code = sqliteCodeOf(error);
  if (code === IOERR_SHMSIZE) return "full";
  return BY_CODE.get(code & PRIMARY_CODE_MASK) ?? BY_ERRNO[errnoOf(error)] ?? "other";
}

/** Another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return judgeTrouble(error) === "busy";
}

/** `impossible` says what cannot be done without it. */
export function loadSqliteFor(impossible: string): Promise<OpenSqlite> {
  return loadSqlite(
    (cause) =>
      new ToolError(
        "unavailable",
        `${impossible} without SQLite: run \`npm install @photostructure/sqlite\` and restart.`,
        { reason: "sqlite_missing", cause },
      ),
  );
}

/**
 * Never opens a file that is there: closing it again would drop the locks that a connection of this
 * process has on it.
 */
export async function makePrivateFile(file: string): Promise<void> {
  const folder = dirname(file);
  await makeFolder(folder, FOLDER_MODE);
  // SQLite makes files of its own in it, and would not say why it cannot.
  await access(folder, constants.W_OK | constants.X_OK);
  try {
    closeSync(openSync(file, "wx", FILE_MODE));
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    if ((statSync(file).mode & OTHERS_MASK) !== 0) chmodSync(file, FILE_MODE);
  }
}

export function textOf(row: unknown, column: string): string {
  const value = readField(row, column);
  return typeof value === "string" ? value : damaged(column);
}

export function numberOf(row: unknown, column: string): number {
  const value = readField(row, column);
  return typeof value === "number" ? value : damaged(column);
}

export function bytesOf(row: unknown, column: string): Uint8Array {
  const value = readField(row, column);
  return value instanceof Uint8Array ? value : damaged(column);
}

export function jsonOf(row: unknown, column: string): unknown {
  const text = textOf(row, column);
  try {
    return JSON.parse(text);
  } catch {
    return damaged(column);
  }
}

/** Counts as damage that SQLite has found itself. */
function damaged(column: string): never {
  const error = new ToolError(
    "failed",
    `A record of the database has no valid "${column}"; restore the file from a backup, or move it away to start again.`,
    { reason: "store_corrupt" },
  );
  throw Object.assign(error, { sqliteExtendedCode: DAMAGED_CODE });
}
