// Replaces text in a file: read, match, splice, write. Nothing is written unless every change fits.

import { ToolInputError, type ToolResult, textResult } from "../../core/index.js";
import { lineNumberAt } from "../../lib/line-number.js";
import { withoutMention } from "../../lib/mention.js";
import { toPrintable } from "../../lib/printable.js";
import { splitByteOrderMark } from "../../lib/unicode-text.js";
import { findReplacements } from "./find-replacements.js";
import type { EditCall } from "./index.js";
import { loadText } from "./load-text.js";
import { readChanges } from "./read-changes.js";
import { applySplices } from "./splice.js";

export async function execute(call: EditCall): Promise<ToolResult> {
  const { params, ctx, signal } = call;
  const at = (filePath: string) => ({ filePath, cwd: ctx.root, signal });
  const changes = readChanges(params);
  const path = await withoutMention(
    params.path,
    async (name) => (await ctx.bridge.stat(at(name))) !== null,
  );
  const { mark, body } = splitByteOrderMark(await loadText(ctx.bridge, at(path)));
  const replacements = findReplacements({ body, changes, path });
  const edited = applySplices(
    body,
    replacements.map(({ splice }) => splice),
  );
  if (edited === body) throw noChange(path);
  const data = Buffer.from(mark + edited);
  await ctx.bridge.writeFile({ ...at(path), data });
  const count = replacements.length;
  const line = lineNumberAt(body, replacements[0]?.splice.start ?? 0);
  const text = `Edited ${toPrintable(path)}: ${count} replacement${count === 1 ? "" : "s"}, the first at line ${line}.`;
  return textResult(text, {
    path,
    replacements: count,
    firstChangedLine: line,
    bytes: data.length,
  });
}

function noChange(path: string): ToolInputError {
  return new ToolInputError(`The edits of "${toPrintable(path)}" would change nothing.`, {
    reason: "no_change",
  });
}
