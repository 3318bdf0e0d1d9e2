// Paths as the history keeps and shows them: relative to the root where they lie inside, so that a
// folder may be moved with its past.

import { toPlainPath } from "../../core/files/index.js";
import type { FsPath } from "../../core/index.js";

export interface StoredPaths {
  /** Where paths without `cwd` start, as callers write it; "" for a bridge that has no folder. */
  readonly root: string;
  /** The same with all links followed. */
  readonly realRoot: string;
  /** Nothing in this folder is remembered. */
  readonly excluded: string | undefined;
}

/** undefined for what is not remembered, or is not a path at all: then the bridge says so. */
export function toStoredPath(
  { filePath, cwd }: FsPath,
  { root, excluded }: StoredPaths,
): string | undefined {
  if (typeof filePath !== "string" || !(cwd === undefined || typeof cwd === "string")) {
    return undefined;
  }
  const whole = toPlainPath(filePath, cwd ?? root);
  if (excluded !== undefined && isInside(whole, excluded)) return undefined;
  return relativeTo(toPlainPath(root), whole);
}

/** The same of a real path. */
export function toStoredPlace(realPath: string, { realRoot }: StoredPaths): string {
  return relativeTo(toPlainPath(realRoot), toPlainPath(realPath));
}

/** How a bridge is asked for it again. */
export function fromStoredPath(path: string, { root }: StoredPaths): FsPath {
  return { filePath: path, ...(root !== "" && { cwd: root }) };
}

function relativeTo(folder: string, whole: string): string {
  return folder !== "" && whole !== folder && isInside(whole, folder)
    ? whole.slice(toPrefix(folder).length)
    : whole;
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(toPrefix(folder));
}

function toPrefix(folder: string): string {
  return folder.endsWith("/") ? folder : `${folder}/`;
}
