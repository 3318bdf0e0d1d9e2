// Writes a whole file through the bridge and says what was there before.

import { type FsStat, ToolInputError, type ToolResult, textResult } from "../../core/index.js";
import { withoutMention } from "../../lib/mention.js";
import { toPrintable } from "../../lib/printable.js";
import { hasLoneSurrogate } from "../../lib/unicode-text.js";
import type { WriteCall } from "./index.js";

/** Only "/" divides: on POSIX a backslash is a letter, and elsewhere `writeFile` makes the parents. */
const PARENT = /^(.*[^/])\/+(?!\.{1,2}$)[^/]+$/s;

export async function execute(call: WriteCall): Promise<ToolResult> {
  const { params, ctx, signal } = call;
  const { bridge } = ctx;
  const at = (filePath: string) => ({ filePath, cwd: ctx.root, signal });
  assertSayable(params.content);
  const path = await withoutMention(
    params.path,
    async (name) => (await bridge.stat(at(name))) !== null,
  );
  const before = await bridge.stat(at(path));
  assertReplaceable(before, path);
  const parent = PARENT.exec(path)?.[1];
  if (!before && parent) await bridge.mkdirp(at(parent));
  const data = Buffer.from(params.content);
  await bridge.writeFile({ ...at(path), data });
  const created = before === null;
  const text = `Wrote ${data.length} byte${data.length === 1 ? "" : "s"} to ${toPrintable(path)}. The file was ${created ? "created" : "replaced"}.`;
  return textResult(text, { path, bytes: data.length, created });
}

function assertSayable(content: string): void {
  if (!hasLoneSurrogate(content)) return;
  throw new ToolInputError(
    "content holds half of a surrogate pair, which no file can hold as UTF-8; send the whole character.",
    { reason: "content_not_unicode" },
  );
}

function assertReplaceable(stat: FsStat | null, path: string): void {
  if (stat === null || stat.type === "file") return;
  if (stat.type === "directory") {
    throw new ToolInputError(`"${toPrintable(path)}" is a folder; name a file in it.`, {
      reason: "is_directory",
    });
  }
  throw new ToolInputError(`"${toPrintable(path)}" is not a regular file; choose another path.`, {
    reason: "not_regular_file",
  });
}
