// What is to be done in the end: one change per file, whatever way the patch took to it.

import { isDirectory } from "../../../core/files/index.js";
import type { FsStat } from "../../../core/index.js";
import type { Outcome } from "./compute.js";
import type { Content, WorkingFile } from "./working-files.js";

interface Place {
  readonly path: string;
  readonly stat: FsStat | null;
  /** undefined when nothing was there. */
  readonly before: Buffer | undefined;
}

/** A file gets this content. */
export interface Write extends Place {
  readonly after: Buffer;
  readonly diff: Content["diff"];
  /** The file that is moved here, if one is, and its bytes. */
  readonly from:
    | { readonly path: string; readonly stat: FsStat | null; readonly bytes: Buffer }
    | undefined;
  readonly isAdded: boolean;
}

/** A file is taken away. */
export interface Removal extends Place {
  readonly before: Buffer;
}

export interface Changes {
  readonly writes: readonly Write[];
  /** Without those that are moved. */
  readonly removals: readonly Removal[];
  /** Paths of files that the patch names and leaves as they are. */
  readonly unchanged: readonly string[];
}

/** Throws when a file would have to be a folder too. */
export function toChanges({ files, added }: Outcome): Changes {
  assertNoFolders(files.filter(({ now }) => now));
  const byKey = new Map(files.map((file) => [file.key, file]));
  const moved = new Set<string>();
  const writes: Write[] = [];
  const unchanged: string[] = [];
  for (const file of files) {
    const { key, path, stat, before, now } = file;
    if (!now) continue;
    const from = findSource({ file, now, byKey });
    if (from) moved.add(from.key);
    if (before?.equals(now.bytes) && !from) unchanged.push(path);
    else {
      writes.push({
        path,
        stat,
        before,
        after: now.bytes,
        diff: now.diff,
        from: from?.before && { path: from.path, stat: from.stat, bytes: from.before },
        isAdded: added.has(key),
      });
    }
  }
  const removals = files.flatMap(({ key, path, stat, before, now }) =>
    before && !now && !moved.has(key) ? [{ path, stat, before }] : [],
  );
  return { writes, removals, unchanged };
}

/** The file that a content was at first, when it lay elsewhere and nothing is left there. */
function findSource(of: {
  file: WorkingFile;
  now: Content;
  byKey: ReadonlyMap<string, WorkingFile>;
}): WorkingFile | undefined {
  const { file, now, byKey } = of;
  if (now.origin === undefined || now.origin === file.key) return undefined;
  const source = byKey.get(now.origin);
  return source?.before && !source.now ? source : undefined;
}

function assertNoFolders(files: readonly WorkingFile[]): void {
  const byKey = new Map(files.map((file) => [file.key, file]));
  for (const { key } of files) {
    for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) {
      const above = byKey.get(key.slice(0, end));
      if (above) throw isDirectory(above.path);
    }
  }
}
