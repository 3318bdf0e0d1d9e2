// Writes a whole file through the bridge and says what that changed.

import { isUtf8 } from "node:buffer";
import {
  assertReplaceable,
  createFolderMaker,
  type OldFile,
  toBytes,
  type WatchedWrite,
  watchedWriteOf,
  withFiles,
} from "../../core/files/index.js";
import {
  abortError,
  type FsBridge,
  type FsPath,
  ToolInputError,
  type ToolResult,
  textResult,
} from "../../core/index.js";
import { diffLines } from "../../lib/diff/line-diff.js";
import { withoutMention } from "../../lib/mention.js";
import { toPrintable } from "../../lib/printable.js";
import { hasLoneSurrogate } from "../../lib/unicode-text.js";
import type { WriteCall, WriteDetails } from "./index.js";

const MAX_DIFF_BYTES = 256 * 1024;
const MAX_COMPARED_BYTES = 64 * 1024 * 1024;

type ChangeDescription = Pick<WriteDetails, "firstChangedLine" | "diff" | "diffOmitted">;

type ContentBefore = Buffer | "too_long" | "not_read";

interface WriteTarget {
  readonly file: FsPath & { readonly signal: AbortSignal };
  readonly size: number;
}

const REPLACEMENT_CHARACTER = "\uFFFD";

export async function execute(call: WriteCall): Promise<ToolResult<WriteDetails>> {
  const { params, ctx, signal } = call;
  const at = (filePath: string) => ({ filePath, cwd: ctx.root, signal });
  const data = toData(params.content);
  const exists = async (name: string) => (await ctx.bridge.stat(at(name))) !== null;
  const path = await withoutMention(params.path, exists);
  const write = { file: at(path), data };
  const watched = watchedWriteOf(ctx.bridge);
  if (watched) return replaceWatched(watched, write);
  return withFiles(ctx.bridge, [write.file], (bridge) => writeWhole(bridge, write));
}

interface WholeWrite {
  readonly file: FsPath & { readonly cwd: string; readonly signal: AbortSignal };
  readonly data: Buffer;
}

/** In one pass: what is there is compared and described while the bytes are on their way. */
async function replaceWatched(
  write: WatchedWrite,
  whole: WholeWrite,
): Promise<ToolResult<WriteDetails>> {
  const { file, data } = whole;
  const target = { file, size: data.length };
  let before: ContentBefore = "not_read";
  let result: ToolResult<WriteDetails> | undefined;
  await write(
    { ...file, data },
    {
      judge: async (old) => old?.size !== data.length || !isSame(await readOld(old, target), data),
      async look(old) {
        if (old) before = await readOld(old, target);
      },
      meanwhile() {
        result = tellWritten(whole, describeChange(before, data));
      },
      async missing(own) {
        result = await writeWhole(own, whole);
      },
    },
  );
  return result ?? tellSame(whole);
}

async function writeWhole(
  bridge: FsBridge,
  { file, data }: WholeWrite,
): Promise<ToolResult<WriteDetails>> {
  const before = await readBefore(bridge, { file, size: data.length });
  if (before !== null && isSame(before, data)) return tellSame({ file, data });
  if (file.signal.aborted) throw abortError(file.signal);
  const writing = put(bridge, { file, data, isNew: !before });
  const change = before ? describeChange(before, data) : undefined;
  await writing;
  return tellWritten({ file, data }, change);
}

function isSame(before: ContentBefore, data: Buffer): boolean {
  return typeof before !== "string" && before.equals(data);
}

function tellSame({ file: { filePath: path }, data }: WholeWrite): ToolResult<WriteDetails> {
  const said = `No changes made to ${toPrintable(path)}: it already has this content.`;
  return textResult(said, { path, bytes: data.length, created: false, changed: false });
}

function tellWritten(
  { file: { filePath: path }, data }: WholeWrite,
  change: ChangeDescription | undefined,
): ToolResult<WriteDetails> {
  const bytes = data.length === 1 ? "1 byte" : `${data.length} bytes`;
  const said = `Wrote ${bytes} to ${toPrintable(path)}. The file was ${change ? "replaced" : "created"}.`;
  const facts = { path, bytes: data.length, created: change === undefined, changed: true };
  return textResult(said, { ...facts, ...change });
}

async function put(
  bridge: FsBridge,
  { file, data, isNew }: WholeWrite & { readonly isNew: boolean },
): Promise<void> {
  const { filePath: path, signal, cwd: root } = file;
  const folders = createFolderMaker(path, { bridge, root, signal });
  try {
    if (isNew) await folders.make();
    await bridge.writeFile({ ...file, data });
  } catch (error) {
    await folders.removeMade();
    throw error;
  }
}

function toData(content: string): Buffer {
  const data = Buffer.from(content);
  if (!data.includes(REPLACEMENT_CHARACTER) || !hasLoneSurrogate(content)) return data;
  throw new ToolInputError(
    "content holds half of a surrogate pair, which no file can hold as UTF-8; send the whole character.",
    { reason: "content_not_unicode" },
  );
}

async function readBefore(bridge: FsBridge, target: WriteTarget): Promise<ContentBefore | null> {
  const { file } = target;
  const stat = await bridge.stat(file);
  assertReplaceable(stat, file.filePath);
  if (!stat || !isWorthReading(stat, target)) return stat && "too_long";
  return orNotRead(target, async () => toBytes(await bridge.readFile(file), file.filePath));
}

async function readOld(old: OldFile, target: WriteTarget): Promise<ContentBefore> {
  if (!isWorthReading(old, target)) return "too_long";
  return orNotRead(target, () => old.read());
}

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
    // A write does not need the old content, but it must stop when aborted.
    if (file.signal.aborted) throw abortError(file.signal);
    return "not_read";
  }
}

function describeChange(before: ContentBefore, after: Buffer): ChangeDescription {
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
