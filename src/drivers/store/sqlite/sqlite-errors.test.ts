// Every failure of SQLite and of the file system is a typed error that says what to do.

import { describe, expect, it } from "vitest";
import { ToolError } from "../../../core/index.js";
import { isBusy } from "../../sqlite.js";
import { toStoreError } from "./sqlite-errors.js";

const FILE = "/state/state.db";

const sqlite = (errcode: number) =>
  Object.assign(new Error("said by SQLite"), { code: "ERR_SQLITE_ERROR", errcode });
const system = (code: string) => Object.assign(new Error("said by the system"), { code });

/** As thrown while rows are read: with words and without a number. */
const stepped = (message: string) =>
  Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR" });

const CASES: ReadonlyArray<readonly [string, Error, string, string, string]> = [
  ["FULL", sqlite(13), "unavailable", "store_full", "free some space"],
  ["IOERR_SHMSIZE", sqlite(4874), "unavailable", "store_full", "free some space"],
  ["READONLY", sqlite(8), "unavailable", "store_readonly", "write permission"],
  ["READONLY_DBMOVED", sqlite(1032), "unavailable", "store_readonly", "write permission"],
  ["PERM", sqlite(3), "unavailable", "store_readonly", "write permission"],
  ["IOERR", sqlite(10), "failed", "store_io", "check the disk"],
  ["IOERR_WRITE", sqlite(778), "failed", "store_io", "check the disk"],
  ["CORRUPT", sqlite(11), "failed", "store_corrupt", "restore it from a backup"],
  ["CORRUPT_INDEX", sqlite(779), "failed", "store_corrupt", "restore it from a backup"],
  ["NOTADB", sqlite(26), "failed", "store_corrupt", "is not a SQLite database"],
  ["CANTOPEN", sqlite(14), "unavailable", "store_unreachable", "cannot be opened"],
  [
    "a damaged row",
    stepped("database disk image is malformed"),
    "failed",
    "store_corrupt",
    "restore it from a backup",
  ],
  [
    "a damaged schema",
    stepped('malformed database schema (kv) - near "X": syntax error'),
    "failed",
    "store_corrupt",
    "restore it from a backup",
  ],
  [
    "a file that is no database any more",
    stepped("file is not a database"),
    "failed",
    "store_corrupt",
    "is not a SQLite database",
  ],
  ["ENOSPC", system("ENOSPC"), "unavailable", "store_full", "free some space"],
  ["EROFS", system("EROFS"), "unavailable", "store_readonly", "write permission"],
  ["EACCES", system("EACCES"), "unavailable", "store_readonly", "write permission"],
  ["EMFILE", system("EMFILE"), "unavailable", "store_no_handles", "too many files"],
  ["ENOTDIR", system("ENOTDIR"), "unavailable", "store_unreachable", "cannot be opened"],
  ["EIO", system("EIO"), "failed", "store_io", "check the disk"],
  ["anything else", new Error("strange"), "internal", "store_failed", "strange"],
];

describe("errors of the store", () => {
  it.each(CASES)("%s is typed", (_, error, code, reason, advice) => {
    const typed = toStoreError(error, FILE);
    expect(typed).toMatchObject({ code, reason, cause: error });
    expect(typed.message).toContain(`"${FILE}"`);
    expect(typed.message).toContain(advice);
  });

  it("pass when they are typed already", () => {
    const error = new ToolError("conflict", "mine");
    expect(toStoreError(error, FILE)).toBe(error);
  });

  it("say when only a lock is in the way, of whatever kind", () => {
    expect([5, 261, 517, 773, 6, 262].map((code) => isBusy(sqlite(code)))).toEqual([
      ...[true, true, true, true, true, true],
    ]);
    expect(isBusy(stepped("database is locked"))).toBe(true);
    expect(isBusy(stepped("database table is locked: kv"))).toBe(true);
    expect([isBusy(sqlite(13)), isBusy(system("EBUSY")), isBusy("busy")]).toEqual([
      ...[false, false, false],
    ]);
  });
});
