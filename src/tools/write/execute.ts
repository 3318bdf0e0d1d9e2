// Writes a whole file through the bridge and says what that changed.

import {
  createFolderMaker,
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
import { withoutMention } from "../../lib/mention.js";
import { toPrintable } from "../../lib/printable.js";
import { hasLoneSurrogate } from "../../lib/unicode-text.js";
import type { WriteCall } from "./index.js";
import {
  type ChangeDescription,
  type ContentBefore,
  describeChange,
  readBefore,
  readOld,
} from "./read-before.js";

/** UTF-8 has this in the place of half a character. */
const REPLACEMENT_CHARACTER = "\uFFFD";

export async function execute(call: WriteCall): Promise<ToolResult> {
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
async function replaceWatched(write: WatchedWrite, whole: WholeWrite): Promise<ToolResult> {
  const { file, data } = whole;
  const target = { file, size: data.length };
  let before: ContentBefore = "not_read";
  let result: ToolResult | undefined;
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

async function writeWhole(bridge: FsBridge, { file, data }: WholeWrite): Promise<ToolResult> {
  const before = await readBefore(bridge, { file, size: data.length });
  if (before !== null && isSame(before, data)) return tellSame({ file, data });
  if (file.signal.aborted) throw abortError(file.signal);
  const writing = put(bridge, { file, data, isNew: !before });
  // While the bytes are on their way.
  const change = before ? describeChange(before, data) : undefined;
  await writing;
  return tellWritten({ file, data }, change);
}

function isSame(before: ContentBefore, data: Buffer): boolean {
  return typeof before !== "string" && before.equals(data);
}

function tellSame({ file: { filePath: path }, data }: WholeWrite): ToolResult {
  const said = `No changes made to ${toPrintable(path)}: it already has this content.`;
  return textResult(said, { path, bytes: data.length, created: false, changed: false });
}

/** `change`: of a file that was there. */
function tellWritten(
  { file: { filePath: path }, data }: WholeWrite,
  change: ChangeDescription | undefined,
): ToolResult {
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
