// Writes a whole file through the bridge and says what that changed.

import { createFolderMaker, withFiles } from "../../core/files/index.js";
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
import { describeChange } from "./describe-change.js";
import type { WriteCall } from "./index.js";
import { readBefore } from "./read-before.js";

/** UTF-8 has this in the place of half a character. */
const REPLACEMENT_CHARACTER = "\uFFFD";

export async function execute(call: WriteCall): Promise<ToolResult> {
  const { params, ctx, signal } = call;
  const at = (filePath: string) => ({ filePath, cwd: ctx.root, signal });
  const data = toData(params.content);
  const path = await withoutMention(
    params.path,
    async (name) => (await ctx.bridge.stat(at(name))) !== null,
  );
  const file = at(path);
  return withFiles(ctx.bridge, [file], (bridge) => writeWhole(bridge, { file, data }));
}

interface WholeWrite {
  readonly file: FsPath & { readonly cwd: string; readonly signal: AbortSignal };
  readonly data: Buffer;
}

async function writeWhole(bridge: FsBridge, { file, data }: WholeWrite): Promise<ToolResult> {
  const path = file.filePath;
  const before = await readBefore(bridge, { file, size: data.length });
  const facts = { path, bytes: data.length, created: before === null };
  const shown = toPrintable(path);
  if (Buffer.isBuffer(before) && before.equals(data)) {
    const said = `No changes made to ${shown}: it already has this content.`;
    return textResult(said, { ...facts, changed: false });
  }
  if (file.signal.aborted) throw abortError(file.signal);
  const writing = put(bridge, { file, data, isNew: !before });
  // While the bytes are on their way.
  const change = before ? describeChange(before, data) : {};
  await writing;
  const bytes = data.length === 1 ? "1 byte" : `${data.length} bytes`;
  const said = `Wrote ${bytes} to ${shown}. The file was ${before ? "replaced" : "created"}.`;
  return textResult(said, { ...facts, changed: true, ...change });
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
