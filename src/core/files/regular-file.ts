// What `stat` said of a path, judged by tools that need a file.

import type { FsStat } from "../ports/fs-bridge.js";
import { fileMissing, isDirectory, notRegularFile } from "./errors.js";

/** Throws unless a regular file is there. */
export function assertRegularFile(stat: FsStat | null, path: string): asserts stat is FsStat {
  if (!stat) throw fileMissing(path);
  assertReplaceable(stat, path);
}

/** Throws when something is there that is not a regular file; nothing there is fine. */
export function assertReplaceable(stat: FsStat | null, path: string): void {
  if (stat === null || stat.type === "file") return;
  throw stat.type === "directory" ? isDirectory(path) : notRegularFile(path);
}
