// What the file system answers, as errors that name the caller's path and say what to do.
// The host's own spelling of paths stays in `cause`.

import { fileMissing, fileOnTheWay, isDirectory, pathInvalid } from "../../core/files/index.js";
import { isToolError, ToolError } from "../../core/index.js";
import { errnoOf } from "../../lib/errno.js";
import { toPrintable } from "../../lib/printable.js";

/** What most file systems allow. */
const MAX_NAME_BYTES = 255;

const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full; free some space and try again",
  EDQUOT: "the disk quota is used up; free some space and try again",
  EACCES:
    "this process may not access it, or not change its folder; change the permissions or choose another path",
  EPERM: "the system does not permit it; change its permissions or choose another path",
  EROFS: "the file system is read-only; choose another path",
  EMFILE: "this process has too many files open; try again with fewer calls at once",
  ENFILE: "the system has too many files open; try again later",
  EIO: "the disk reported an error; check the device",
  EBUSY: "it is in use; try again later",
  EXDEV: "the two paths lie on different file systems; write a copy and remove the first",
};

export function rootReplaced(): ToolError {
  return new ToolError(
    "failed",
    "The root folder was moved, removed or replaced since its first use; make a new bridge.",
    { reason: "root_replaced" },
  );
}

/** Something else changed the path between two steps of one operation. */
export function pathChanged(path: string): ToolError {
  return new ToolError("conflict", `"${toPrintable(path)}" kept changing meanwhile; try again.`, {
    reason: "path_changed",
  });
}

/** Another call of this process has the path and does not end. */
export function fileBusy(path: string, waitedMs: number): ToolError {
  return new ToolError(
    "timeout",
    `"${toPrintable(path)}" is in use by another call that did not end within ${waitedMs} ms; try again later.`,
    { reason: "file_busy", details: { waitedMs } },
  );
}

function describeLength(path: string): string {
  const hasLongName = path.split("/").some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES);
  return hasLongName ? "a name in it is too long" : "it is too long for this system";
}

/** Errors of ours pass unchanged. */
export function toFsError(error: unknown, path: string): unknown {
  if (isToolError(error)) return error;
  const errno = errnoOf(error);
  if (errno === "") return error;
  if (errno === "ENOENT") return fileMissing(path, error);
  if (errno === "EISDIR") return isDirectory(path, error);
  if (errno === "ENOTDIR") return fileOnTheWay(path);
  if (errno === "ENAMETOOLONG") return pathInvalid(path, describeLength(path));
  if (errno === "ELOOP") return pathInvalid(path, "its links lead in a circle");
  const advice = ADVICE[errno] ?? "the system refused; check the path and try again";
  return new ToolError("failed", `"${toPrintable(path)}" failed with ${errno}: ${advice}.`, {
    reason: errno.toLowerCase(),
    cause: error,
    details: { errno },
  });
}
