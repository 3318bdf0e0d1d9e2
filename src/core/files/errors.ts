// The file errors that all bridges and tools share. They show only paths that the caller gave.

import { toPrintable } from "../../lib/printable.js";
import { ToolError, ToolInputError } from "../errors.js";
import type { FsStat } from "../ports/fs-bridge.js";
import { howToFree } from "./protection.js";

export function outsideRoot(path: string): ToolError {
  return new ToolError(
    "denied",
    `"${toPrintable(path)}" leads out of the root folder; use a path inside it.`,
    { reason: "path_outside_root" },
  );
}

export function pathProtected(path: string, name: string): ToolError {
  return new ToolError(
    "denied",
    `"${toPrintable(path)}" is not changed: "${toPrintable(name)}" is protected; choose another path, or change it by hand${howToFree(name)}.`,
    { reason: "path_protected", details: { protected: name } },
  );
}

export function pathSealed(path: string, name: string): ToolError {
  return new ToolError(
    "denied",
    `"${toPrintable(path)}" is not read: "${toPrintable(name)}" is state of clawtools, which no call may read; choose another path.`,
    { reason: "path_protected", details: { protected: name } },
  );
}

export function fileMissing(path: string, cause?: unknown): ToolError {
  return new ToolError("not_found", `"${toPrintable(path)}" does not exist; check the path.`, {
    reason: "file_missing",
    cause,
  });
}

export function linkToNothing(path: string): ToolError {
  return new ToolError(
    "not_found",
    `"${toPrintable(path)}" is a link to something that does not exist; choose another path.`,
    { reason: "file_missing" },
  );
}

export function isDirectory(path: string, cause?: unknown): ToolError {
  return new ToolInputError(`"${toPrintable(path)}" is a folder; name a file in it.`, {
    reason: "is_directory",
    cause,
  });
}

export function notDirectory(path: string): ToolError {
  return new ToolInputError(`"${toPrintable(path)}" is not a folder; name the folder it is in.`, {
    reason: "not_directory",
  });
}

export function folderNotEmpty(path: string, cause?: unknown): ToolError {
  return new ToolError(
    "conflict",
    `"${toPrintable(path)}" is a folder that is not empty, and stays; remove what is in it first.`,
    { reason: "folder_not_empty", cause },
  );
}

export function rootKept(path: string): ToolError {
  return pathInvalid(path, "the root folder itself is not removed");
}

export function notRegularFile(path: string): ToolError {
  return new ToolInputError(
    `"${toPrintable(path)}" is not a regular file (a pipe, device, socket or broken link); choose another path.`,
    { reason: "not_regular_file" },
  );
}

export function pathInvalid(path: string, why: string): ToolError {
  return new ToolInputError(`"${toPrintable(path)}" cannot be used as a path: ${why}.`, {
    reason: "path_invalid",
  });
}

export function fileOnTheWay(path: string): ToolError {
  return pathInvalid(path, "a part of it is a file, not a folder");
}

export function pathHasNul(): ToolError {
  return new ToolInputError("A path cannot hold a NUL character; remove it.", {
    reason: "path_has_nul",
  });
}

export function fileClosed(path: string): ToolError {
  return new ToolError("failed", `"${toPrintable(path)}" is closed already; open it again.`, {
    reason: "file_closed",
  });
}

export function assertRegularFile(stat: FsStat | null, path: string): asserts stat is FsStat {
  if (!stat) throw fileMissing(path);
  assertReplaceable(stat, path);
}

export function assertReplaceable(stat: FsStat | null, path: string): void {
  if (stat === null || stat.type === "file") return;
  throw stat.type === "directory" ? isDirectory(path) : notRegularFile(path);
}
