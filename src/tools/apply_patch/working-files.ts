// The files of a patch as they were and as they are so far: operations work on these, in memory, and
// nothing is written before the last of them has worked.

import {
  assertReplaceable,
  explainMissing,
  isDirectory,
  toBytes,
  toPlainPath,
} from "../../core/files/index.js";
import {
  abortError,
  type FsBridge,
  type FsStat,
  ToolError,
  ToolInputError,
} from "../../core/index.js";
import type { SpliceDiff } from "../../lib/diff/text-splices.js";
import { toPrintable } from "../../lib/printable.js";
import { MAX_FILE_BYTES, MAX_TOTAL_BYTES } from "./limits.js";

export interface PatchPlace {
  readonly bridge: FsBridge;
  readonly root: string;
  readonly signal: AbortSignal;
}

export interface Content {
  readonly bytes: Buffer;
  /** The key of the file that it is a changed version of. */
  readonly origin: string | undefined;
  /** From what it was at first, when one update did it all; undefined when it must be compared. */
  readonly diff: Partial<SpliceDiff> | undefined;
  readonly isAdded: boolean;
}

export const UNTOUCHED: Partial<SpliceDiff> = {};

export interface WorkingFile {
  readonly key: string;
  readonly path: string;
  readonly stat: FsStat | null;
  readonly before: Buffer | undefined;
  now: Content | undefined;
}

export interface WorkingFiles {
  open(path: string): Promise<WorkingFile>;
  openExisting(path: string): Promise<{ file: WorkingFile; content: Content }>;
  put(file: WorkingFile, content: Content): void;
  toChanges(): Changes;
}

export function createWorkingFiles(place: PatchPlace): WorkingFiles {
  const { bridge, root, signal } = place;
  const files = new Map<string, WorkingFile>();
  let total = 0;
  const count = (bytes: Buffer, path: string): void => {
    assertFileSize(bytes.length, path);
    total += bytes.length;
    if (total > MAX_TOTAL_BYTES) throw tooMuch();
  };
  const open = async (path: string): Promise<WorkingFile> => {
    if (path.endsWith("/")) throw isDirectory(path);
    const key = toPlainPath(path, root);
    const known = files.get(key);
    if (known) return known;
    if (signal.aborted) throw abortError(signal);
    const at = { filePath: path, cwd: root, signal };
    const stat = await bridge.stat(at);
    assertReplaceable(stat, path);
    if (stat) assertFileSize(stat.size, path);
    const before = stat ? toBytes(await bridge.readFile(at), path) : undefined;
    if (before) count(before, path);
    const now = before && { bytes: before, origin: key, diff: UNTOUCHED, isAdded: false };
    const file: WorkingFile = { key, path, stat, before, now };
    files.set(key, file);
    return file;
  };
  return {
    open,
    async openExisting(path) {
      const file = await open(path);
      if (file.now) return { file, content: file.now };
      if (!file.stat) throw await explainMissing(bridge, { filePath: path, cwd: root, signal });
      throw new ToolError(
        "not_found",
        `"${toPrintable(path)}" does not exist any more at this point of the patch; check the order of its parts.`,
        { reason: "file_missing" },
      );
    },
    put(file, content) {
      count(content.bytes, file.path);
      file.now = content;
    },
    toChanges: () => toChanges(files),
  };
}

function assertFileSize(size: number, path: string): void {
  if (size <= MAX_FILE_BYTES) return;
  throw new ToolError(
    "limit",
    `"${toPrintable(path)}" has ${size} bytes; a patch takes files of at most ${MAX_FILE_BYTES}. Change it with another tool.`,
    { reason: "file_too_large", details: { size, maxBytes: MAX_FILE_BYTES } },
  );
}

function tooMuch(): ToolError {
  return new ToolError(
    "limit",
    `The files of the patch have more than ${MAX_TOTAL_BYTES} bytes together, before and after; send it in parts.`,
    { reason: "patch_files_too_large", details: { maxBytes: MAX_TOTAL_BYTES } },
  );
}

/** A file that is there now but not in the same form as before the patch. */
export interface Write {
  readonly file: WorkingFile;
  readonly now: Content;
  /** Where the content was before, when nothing is left there. */
  readonly from: OldFile | undefined;
}

/** A file that was there before the patch. */
export type OldFile = WorkingFile & { readonly before: Buffer };

export interface Changes {
  readonly writes: readonly Write[];
  readonly removals: readonly OldFile[];
  readonly unchanged: readonly WorkingFile[];
}

function toChanges(files: ReadonlyMap<string, WorkingFile>): Changes {
  const writes: Write[] = [];
  const unchanged: WorkingFile[] = [];
  for (const file of files.values()) {
    const { now } = file;
    if (!now) continue;
    assertNoFileAbove(file, files);
    const source = files.get(now.origin ?? "");
    const from = source && isGone(source) ? source : undefined;
    if (file.before?.equals(now.bytes) && !from) unchanged.push(file);
    else writes.push({ file, now, from });
  }
  const moved = writes.map(({ from }) => from);
  const removals = [...files.values()].filter(isGone).filter((file) => !moved.includes(file));
  return { writes, removals, unchanged };
}

function isGone(file: WorkingFile): file is OldFile {
  return file.before !== undefined && !file.now;
}

/** Also when the patch removes the file above: its folder needs a patch of its own. */
function assertNoFileAbove({ key }: WorkingFile, files: ReadonlyMap<string, WorkingFile>): void {
  for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) {
    const above = files.get(key.slice(0, end));
    if (above?.now) throw isDirectory(above.path);
    if (!above?.before) continue;
    throw new ToolInputError(
      `"${toPrintable(above.path)}" cannot become a folder in the patch that removes it; add the files below it with a second patch.`,
      { reason: "is_directory" },
    );
  }
}
