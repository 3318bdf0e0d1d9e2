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
  type FsPath,
  type FsStat,
  ToolError,
} from "../../core/index.js";
import type { SpliceDiff } from "../../lib/diff/text-splices.js";
import { toPrintable } from "../../lib/printable.js";
import { MAX_FILE_BYTES, MAX_TOTAL_BYTES } from "./limits.js";

export interface PatchPlace {
  readonly bridge: FsBridge;
  readonly root: string;
  readonly signal: AbortSignal;
}

export interface BodyDiff {
  readonly text: string;
  readonly firstChangedLine: number | undefined;
}

export function toBodyDiff({
  firstChangedLine,
  diff = "",
  diffOmitted,
}: Partial<SpliceDiff>): BodyDiff {
  const rest = diffOmitted === undefined ? "" : `\\ left out: ${diffOmitted}\n`;
  return { text: diff + rest, firstChangedLine };
}

export interface Content {
  readonly bytes: Buffer;
  readonly origin: string | undefined;
  /** From what it was at first, when one update did it all; undefined when it must be compared. */
  readonly diff: BodyDiff | undefined;
}

export const UNTOUCHED: BodyDiff = { text: "", firstChangedLine: undefined };

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
  list(): readonly WorkingFile[];
}

export function createWorkingFiles(place: PatchPlace): WorkingFiles {
  const files = new Map<string, WorkingFile>();
  let total = 0;
  const count = (bytes: Buffer, path: string): void => {
    assertFileSize(bytes.length, path);
    total += bytes.length;
    if (total > MAX_TOTAL_BYTES) throw tooMuch();
  };
  const working: WorkingFiles = {
    async open(path) {
      if (path.endsWith("/")) throw isDirectory(path);
      const key = toPlainPath(path, place.root);
      const known = files.get(key);
      if (known) return known;
      const { stat, before } = await loadFile(place, path);
      if (before) count(before, path);
      const now = before && { bytes: before, origin: key, diff: UNTOUCHED };
      const file: WorkingFile = { key, path, stat, before, now };
      files.set(key, file);
      return file;
    },
    async openExisting(path) {
      const file = await working.open(path);
      if (file.now) return { file, content: file.now };
      if (!file.stat) throw await explainMissing(place.bridge, toPath(place, path));
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
    list: () => [...files.values()],
  };
  return working;
}

async function loadFile(
  place: PatchPlace,
  path: string,
): Promise<Pick<WorkingFile, "stat" | "before">> {
  const { bridge, signal } = place;
  if (signal.aborted) throw abortError(signal);
  const at = toPath(place, path);
  const stat = await bridge.stat(at);
  assertReplaceable(stat, path);
  if (!stat) return { stat, before: undefined };
  assertFileSize(stat.size, path);
  return { stat, before: toBytes(await bridge.readFile(at), path) };
}

function toPath({ root, signal }: PatchPlace, filePath: string): FsPath {
  return { filePath, cwd: root, signal };
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
