// What SQLite and the disk say of the index, by what is to be done about it.

const PRIMARY_CODE_MASK = 0xff;
const BUSY_CODES = [5, 6];
/** Damaged, no database, and the schema of another. */
const DAMAGED_CODES = [11, 26];
const IOERR_SHMSIZE = 4_874;
const FULL_CODE = 13;
const FULL_ERRNOS = ["ENOSPC", "EDQUOT"];
const READONLY_CODES = [3, 8, 14];
const READONLY_ERRNOS = ["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"];

const SQLITE_ERROR = "ERR_SQLITE_ERROR";
/** Errors of rows that are read carry no number, only these words of SQLite. */
const CODE_BY_WORDS: readonly (readonly [words: RegExp, code: number])[] = [
  [/^database (?:table )?is locked/, 5],
  [/malformed|^fts5: corrupt/, 11],
  [/^file is not a database/, 26],
  [/^database or disk is full/, FULL_CODE],
  [/^attempt to write a readonly database/, 8],
  [/^unable to open database file/, 14],
];

export type IndexTrouble = "busy" | "damaged" | "full" | "readonly" | "other";

export function judgeTrouble(error: unknown): IndexTrouble {
  const extended = extendedCodeOf(error);
  const code = extended & PRIMARY_CODE_MASK;
  const errno = textAt(error, "code");
  if (BUSY_CODES.includes(code)) return "busy";
  if (DAMAGED_CODES.includes(code)) return "damaged";
  if (code === FULL_CODE || extended === IOERR_SHMSIZE || FULL_ERRNOS.includes(errno))
    return "full";
  if (READONLY_CODES.includes(code) || READONLY_ERRNOS.includes(errno)) return "readonly";
  return "other";
}

/** It came from SQLite, whatever it says. */
export function isSqliteError(error: unknown): boolean {
  return (
    numberAt(error, "sqliteExtendedCode") !== undefined || textAt(error, "code") === SQLITE_ERROR
  );
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

function extendedCodeOf(error: unknown): number {
  const told = numberAt(error, "sqliteExtendedCode") ?? numberAt(error, "errcode");
  if (told !== undefined || textAt(error, "code") !== SQLITE_ERROR) return told ?? 0;
  const said = textAt(error, "message");
  return CODE_BY_WORDS.find(([words]) => words.test(said))?.[1] ?? 0;
}

function numberAt(error: unknown, key: string): number | undefined {
  const value: unknown = error instanceof Error ? Reflect.get(error, key) : undefined;
  return typeof value === "number" ? value : undefined;
}

function textAt(error: unknown, key: string): string {
  const value: unknown = error instanceof Error ? Reflect.get(error, key) : undefined;
  return typeof value === "string" ? value : "";
}
