// Looks at a path without throwing. What is too long, below a file or in a loop of links is missing.

import { type BigIntStats, lstatSync, type Stats, statSync } from "node:fs";
import { wholeRealPath } from "../../lib/system/real-path.js";

export function toAbsolute(path: string, cwd: string): string {
  return path.startsWith("/") ? path : `${cwd}/${path}`;
}

export function realFolder(absolute: string): string | undefined {
  return statOf(absolute)?.isDirectory() === true ? wholeRealPath(absolute) : undefined;
}

export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // Missing for all purposes here.
    return undefined;
  }
}

/** Of the link itself. */
export function linkStatOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // Missing for all purposes here.
    return undefined;
  }
}
