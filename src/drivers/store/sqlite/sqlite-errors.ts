// What SQLite and the file system answer, as errors that name the database and say what to do.

import { type ErrorCode, isToolError, ToolError } from "../../../core/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { sqliteCodeOf } from "../../../lib/system/sqlite.js";

/** The low byte of SQLite's result codes. */
const PRIMARY_CODE_MASK = 0xff;
const BUSY = 5;
const LOCKED = 6;
const FULL = 13;
/** The shared memory next to the database could not grow. */
const IOERR_SHMSIZE = 4874;

interface Answer {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly text: string;
}

const STORE_FULL: Answer = {
  code: "unavailable",
  reason: "store_full",
  text: "cannot grow: the disk is full; free some space, it goes on by itself then",
};
const STORE_READONLY: Answer = {
  code: "unavailable",
  reason: "store_readonly",
  text: "cannot be written; give this user write permission for it and its folder, or choose another state folder",
};
const STORE_IO: Answer = {
  code: "failed",
  reason: "store_io",
  text: "failed with an input or output error; check the disk",
};
const STORE_CORRUPT: Answer = {
  code: "failed",
  reason: "store_corrupt",
  text: "is damaged; restore it from a backup, or move it away to start again",
};
const STORE_UNREACHABLE: Answer = {
  code: "unavailable",
  reason: "store_unreachable",
  text: "cannot be opened; check that its folder exists and may be written",
};
const STORE_NO_HANDLES: Answer = {
  code: "unavailable",
  reason: "store_no_handles",
  text: "cannot be opened: too many files are open; close some and try again",
};

const BY_PRIMARY_CODE: ReadonlyMap<number, Answer> = new Map([
  [3, STORE_READONLY],
  [8, STORE_READONLY],
  [10, STORE_IO],
  [11, STORE_CORRUPT],
  [FULL, STORE_FULL],
  [14, STORE_UNREACHABLE],
  [26, { ...STORE_CORRUPT, text: "is not a SQLite database; move it away to start again" }],
]);

const BY_ERRNO: Readonly<Record<string, Answer>> = {
  ENOSPC: STORE_FULL,
  EDQUOT: STORE_FULL,
  EROFS: STORE_READONLY,
  EACCES: STORE_READONLY,
  EPERM: STORE_READONLY,
  EIO: STORE_IO,
  EMFILE: STORE_NO_HANDLES,
  ENFILE: STORE_NO_HANDLES,
  ENOTDIR: STORE_UNREACHABLE,
  EEXIST: STORE_UNREACHABLE,
  ENOENT: STORE_UNREACHABLE,
  ELOOP: STORE_UNREACHABLE,
  ENAMETOOLONG: STORE_UNREACHABLE,
};

/** Another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCodeOf(error) & PRIMARY_CODE_MASK;
  return code === BUSY || code === LOCKED;
}

/** Errors of ours pass unchanged. */
export function toStoreError(error: unknown, file: string): ToolError {
  if (isToolError(error)) return error;
  const { code, reason, text } = answerOf(error);
  return new ToolError(code, `The state file "${file}" ${text}.`, { reason, cause: error });
}

export function storeBusy(file: string, waitedMs: number): ToolError {
  return new ToolError(
    "unavailable",
    `The state file "${file}" was locked by another process for ${waitedMs} ms; try again, or end that process.`,
    { reason: "store_busy" },
  );
}

function answerOf(error: unknown): Answer {
  const code = sqliteCodeOf(error);
  if (code === IOERR_SHMSIZE) return STORE_FULL;
  const answer = BY_PRIMARY_CODE.get(code & PRIMARY_CODE_MASK) ?? BY_ERRNO[errnoOf(error)];
  if (answer) return answer;
  const said = error instanceof Error ? error.message : String(error);
  return { code: "internal", reason: "store_failed", text: `failed: ${said}` };
}
