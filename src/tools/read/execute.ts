// Shows a file: a window of its lines, an image, or a sentence about what cannot be shown.

import { imageResult, type ToolResult, textResult } from "../../core/index.js";
import { withoutMention } from "../../lib/mention.js";
import { toPrintable } from "../../lib/printable.js";
import { decodeText } from "./decode-text.js";
import { imageTypeOf } from "./image-type.js";
import type { ReadCall } from "./index.js";
import { MAX_IMAGE_BYTES } from "./limits.js";
import { loadFile } from "./load-file.js";
import { isArtifactPath, readArtifact } from "./read-artifact.js";
import { showLines } from "./show-lines.js";

export async function execute(call: ReadCall): Promise<ToolResult> {
  const { params, ctx, signal } = call;
  if (isArtifactPath(params.path)) return readArtifact(call);
  const at = (filePath: string) => ({ filePath, cwd: ctx.root, signal });
  const path = await withoutMention(
    params.path,
    async (name) => (await ctx.bridge.stat(at(name))) !== null,
  );
  const bytes = await loadFile(ctx.bridge, at(path));
  const mimeType = imageTypeOf(bytes);
  if (mimeType) return showImage({ path, bytes, mimeType });
  const decoded = decodeText(bytes);
  if (!decoded) return showBinary(path, bytes);
  return showLines({
    path,
    decoded,
    totalBytes: bytes.length,
    offset: params.offset ?? 1,
    limit: params.limit,
    maxChars: ctx.limits.resultChars,
  });
}

function showImage(image: { path: string; bytes: Buffer; mimeType: string }): ToolResult {
  const { path, bytes, mimeType } = image;
  const shown = toPrintable(path);
  const details = { path, kind: "image", mimeType, totalBytes: bytes.length };
  if (bytes.length > MAX_IMAGE_BYTES) {
    const text = `${shown} is an image (${mimeType}, ${bytes.length} bytes) and is not shown: at most ${MAX_IMAGE_BYTES} bytes are. Make a smaller copy and read that.`;
    return textResult(text, { ...details, truncated: true });
  }
  return imageResult({
    label: "read",
    base64: bytes.toString("base64"),
    mimeType,
    extraText: `Image ${shown} (${mimeType}, ${bytes.length} bytes).`,
    details: { ...details, truncated: false },
  });
}

function showBinary(path: string, bytes: Buffer): ToolResult {
  const size = `${bytes.length} byte${bytes.length === 1 ? "" : "s"}`;
  return textResult(`${toPrintable(path)} is a binary file (${size}) and is not shown as text.`, {
    path,
    kind: "binary",
    totalBytes: bytes.length,
    truncated: true,
  });
}
