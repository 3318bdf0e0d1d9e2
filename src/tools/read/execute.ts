// Shows a file: a page of its text, an image, or a sentence about what cannot be shown.

import { type Artifact, ToolError, type ToolResult, textResult } from "../../core/index.js";
import { BLOCK_BYTES, judgeHead, type TextFinding } from "../../lib/encoding/judge-head.js";
import { withoutMention } from "../../lib/mention.js";
import { toPrintable } from "../../lib/printable.js";
import { fileTypeOf } from "./file-type.js";
import { showImage } from "./image/show-image.js";
import type { ReadCall } from "./index.js";
import { type OpenedFile, withFile } from "./open-file.js";
import { createBufferSource, type Part } from "./source.js";
import { readWindow } from "./text/read-window.js";
import { showPage } from "./text/show-page.js";

const SCHEME = "artifact://";

const MAX_NAME_CHARS = 100;

const UNKNOWN_TYPE = "application/octet-stream";

export async function execute(call: ReadCall): Promise<ToolResult> {
  const { params, ctx, signal } = call;
  if (isArtifactPath(params.path)) return showArtifact(call);
  const at = (filePath: string) => ({ filePath, cwd: ctx.root, signal });
  const path = await withoutMention(
    params.path,
    async (name) => (await ctx.bridge.stat(at(name))) !== null,
  );
  return withFile(ctx.bridge, at(path), {
    use: (opened) => showFile(call, opened),
    page: { offset: params.offset ?? 1, limit: params.limit },
  });
}

async function showFile(call: ReadCall, opened: OpenedFile): Promise<ToolResult> {
  const { path, source, requestedPath } = opened;
  const head = await source.read(0, BLOCK_BYTES);
  const details = requestedPath === undefined ? {} : { requestedPath };
  const note = describeFound(opened);
  const finding = judgeHead(head);
  // Plain text may begin as another kind does; what is only guessed to be text may not.
  const mimeType = finding?.isSure ? undefined : fileTypeOf(head.bytes);
  if (finding && mimeType === undefined) {
    return showText(call, { opened, head, finding, note, details });
  }
  if (mimeType?.startsWith("image/")) {
    return showImage(call, { path, mimeType, source, note, details });
  }
  return showBinary(opened, { mimeType: mimeType ?? UNKNOWN_TYPE, note, details });
}

interface TextFile {
  readonly opened: OpenedFile;
  readonly head: Part;
  readonly finding: TextFinding;
  readonly note: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly isFromOutside?: boolean;
}

async function showText(call: ReadCall, file: TextFile): Promise<ToolResult> {
  const { params, ctx, signal } = call;
  const { head, finding, note, details, isFromOutside = false } = file;
  const { path, source } = file.opened;
  const { offset = 1, cursor = 0, limit } = params;
  const window = await readWindow({ source, head, finding, offset, cursor, path, signal });
  const maxChars = ctx.limits.resultChars;
  const page = { path, window, offset, cursor, limit, maxChars };
  return showPage({ ...page, note, details, isFromOutside });
}

async function showArtifact(call: ReadCall): Promise<ToolResult> {
  const { text, untrusted } = readArtifact(call);
  const source = createBufferSource(Buffer.from(text));
  const shown = await showText(call, {
    opened: { path: call.params.path, source },
    head: await source.read(0, BLOCK_BYTES),
    finding: { encoding: "utf-8", markBytes: 0, isSure: true },
    note: "",
    details: {},
    isFromOutside: untrusted !== undefined,
  });
  return untrusted ? { ...shown, untrusted } : shown;
}

function showBinary(
  { path, source }: OpenedFile,
  found: { mimeType: string; note: string; details: Readonly<Record<string, unknown>> },
): ToolResult {
  const { mimeType, note, details } = found;
  const size = `${source.size} byte${source.size === 1 ? "" : "s"}`;
  const text = `${toPrintable(path)} is a binary file (${mimeType}, ${size}) and is not shown as text.`;
  return textResult(note === "" ? text : `${text} ${note}`, {
    path,
    ...details,
    kind: "binary",
    mimeType,
    totalBytes: source.size,
    truncated: true,
  });
}

function describeFound({ path, requestedPath }: OpenedFile): string {
  if (requestedPath === undefined) return "";
  const [own, asked] = [path, requestedPath].map((name) => toPrintable(name, MAX_NAME_CHARS));
  return `Opened "${own}": there is no "${asked}".`;
}

function isArtifactPath(path: string): boolean {
  return path.startsWith(SCHEME);
}

function readArtifact({ params, ctx }: ReadCall): Artifact {
  const artifact = ctx.artifacts?.read(params.path.slice(SCHEME.length), ctx.sessionKey);
  if (artifact !== undefined) return artifact;
  throw new ToolError(
    "not_found",
    "There is no such artifact in this session; it may have been dropped. Make the call that gave it again.",
    { reason: "artifact_missing" },
  );
}
