// What a write would replace: its content as far as that is of use, and that it is a file at all.

import { isUtf8 } from "node:buffer";
import { assertReplaceable, type OldFile, toBytes } from "../../core/files/index.js";
import {
  abortError,
  type FsBridge,
  type FsFile,
  type FsPath,
  isToolError,
} from "../../core/index.js";
import { diffLines, type LineDiff } from "../../lib/line-diff.js";

/** Larger contents are not compared. */
const MAX_DIFF_BYTES = 256 * 1024;

export interface ChangeDescription {
  readonly firstChangedLine?: number;
  /** Hunks of a unified diff. */
  readonly diff?: string;
  /** Why there is no diff. */
  readonly diffOmitted?: NonNullable<LineDiff["omitted"]> | "not_text" | "not_read";
}

/** What was there, or why it was not read. */
export type ContentBefore = Buffer | "too_long" | "not_read";

/** A larger file is not read, also when it may be the same. */
const MAX_COMPARED_BYTES = 64 * 1024 * 1024;

export interface WriteTarget {
  readonly file: FsPath & { readonly signal: AbortSignal };
  /** Bytes of the new content. */
  readonly size: number;
}

/** `null` when nothing is there. Throws when something is there that is no file. */
export async function readBefore(
  bridge: FsBridge,
  target: WriteTarget,
): Promise<ContentBefore | null> {
  const opened = await openBefore(bridge, target);
  if (opened === null) return null;
  if (opened) return readOpened(opened, target);
  const { file } = target;
  const stat = await bridge.stat(file);
  assertReplaceable(stat, file.filePath);
  if (!stat || !isWorthReading(stat, target)) return stat && "too_long";
  return orNotRead(target, async () => toBytes(await bridge.readFile(file), file.filePath));
}

/** The same of a file that a write is about to replace. */
export async function readOld(old: OldFile, target: WriteTarget): Promise<ContentBefore> {
  if (!isWorthReading(old, target)) return "too_long";
  return orNotRead(target, () => old.read());
}

/** One step less than asking and then reading; undefined when that is the only way. */
async function openBefore(
  bridge: FsBridge,
  { file }: WriteTarget,
): Promise<FsFile | null | undefined> {
  if (!bridge.openFile) return undefined;
  try {
    return await bridge.openFile(file);
  } catch (error) {
    if (file.signal.aborted) throw abortError(file.signal);
    // Whatever else it is, `stat` says it in the words of a write.
    return isToolError(error) && error.reason === "file_missing" ? null : undefined;
  }
}

async function readOpened(opened: FsFile, target: WriteTarget): Promise<ContentBefore> {
  try {
    const { stat } = opened;
    if (!isWorthReading(stat, target)) return "too_long";
    // One byte more shows a file that has grown.
    const bytes = Buffer.allocUnsafe(stat.size + 1);
    return await orNotRead(target, async () => {
      const count = await opened.read(bytes, 0);
      return count === stat.size ? bytes.subarray(0, count) : "not_read";
    });
  } finally {
    await opened.close();
  }
}

/** It may be the same, or is small enough to be compared by lines. */
function isWorthReading(stat: { readonly size: number }, { size }: WriteTarget): boolean {
  const isSmall = Math.max(stat.size, size) <= MAX_DIFF_BYTES;
  return isSmall || (stat.size === size && size <= MAX_COMPARED_BYTES);
}

/** A file may be written that cannot be read: only the comparison is lost. */
async function orNotRead(
  { file }: WriteTarget,
  read: () => Promise<ContentBefore>,
): Promise<ContentBefore> {
  try {
    return await read();
  } catch {
    // Why it cannot be read is no matter of a write; that the caller gave up is.
    if (file.signal.aborted) throw abortError(file.signal);
    return "not_read";
  }
}

export function describeChange(before: ContentBefore, after: Buffer): ChangeDescription {
  if (typeof before === "string") return { diffOmitted: before };
  if (before.length > MAX_DIFF_BYTES || after.length > MAX_DIFF_BYTES) {
    return { diffOmitted: "too_long" };
  }
  if (!isUtf8(before) || before.includes(0)) return { diffOmitted: "not_text" };
  const { text, omitted, firstChangedLine } = diffLines(before.toString(), after.toString());
  return {
    ...(firstChangedLine === undefined ? {} : { firstChangedLine }),
    ...(text === undefined ? {} : { diff: text }),
    ...(omitted === undefined ? {} : { diffOmitted: omitted }),
  };
}
