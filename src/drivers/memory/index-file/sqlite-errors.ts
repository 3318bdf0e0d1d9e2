// What SQLite and the disk say of the index, by what is to be done about it.

import { errnoOf } from "../../../lib/errno.js";
import { sqliteCodeOf } from "../../../lib/system/sqlite.js";

const PRIMARY_CODE_MASK = 0xff;
const BUSY_CODES = [5, 6];
/** Damaged, no database, and the schema of another. */
const DAMAGED_CODES = [11, 26];
const IOERR_SHMSIZE = 4_874;
const FULL_CODE = 13;
const FULL_ERRNOS = ["ENOSPC", "EDQUOT"];
const READONLY_CODES = [3, 8, 14];
const READONLY_ERRNOS = ["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"];

export type IndexTrouble = "busy" | "damaged" | "full" | "readonly" | "other";

export function judgeTrouble(error: unknown): IndexTrouble {
  const extended = sqliteCodeOf(error);
  const code = extended & PRIMARY_CODE_MASK;
  const errno = errnoOf(error);
  if (BUSY_CODES.includes(code)) return "busy";
  if (DAMAGED_CODES.includes(code)) return "damaged";
  if (code === FULL_CODE || extended === IOERR_SHMSIZE || FULL_ERRNOS.includes(errno))
    return "full";
  if (READONLY_CODES.includes(code) || READONLY_ERRNOS.includes(errno)) return "readonly";
  return "other";
}

export function describeTrouble(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return {
    busy: "another process is writing it",
    damaged: "it is damaged",
    full: "the disk is full; free some space, it goes on by itself then",
    readonly: "it cannot be written; give this user permission for its folder",
    other: said,
  }[judgeTrouble(error)];
}
