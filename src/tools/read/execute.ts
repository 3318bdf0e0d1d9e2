// Shows a file: a page of its text, an image, or a sentence about what cannot be shown.

import { type Artifact, ToolError, type ToolResult, textResult } from "../../core/index.js";
import { BLOCK_BYTES, judgeHead, type TextFinding } from "../../lib/encoding/judge-head.js";
import { withoutMention } from "../../lib/mention.js";
import { toPrintable } from "../../lib/printable.js";
import type { ReadCall, ReadDetails } from "./index.js";
import { createBufferSource, type OpenedFile, type Part, withFile } from "./open-file.js";
import { readWindow } from "./read-window.js";
import { showImage } from "./show-image.js";
import { showPage } from "./show-page.js";

const form = (mimeType: string, ...parts: [at: number, bytes: string][]): Form => ({
  mimeType,
  parts,
});

const FORMS: readonly Form[] = [
  form("image/png", [0, "\x89PNG\r\n\x1a\n"]),
  form("image/jls", [0, "\xff\xd8\xff\xf7"]),
  form("image/jpeg", [0, "\xff\xd8\xff"]),
  form("image/gif", [0, "GIF87a"]),
  form("image/gif", [0, "GIF89a"]),
  form("image/webp", [0, "RIFF"], [8, "WEBP"]),
  form("image/avif", [4, "ftypavi"]),
  form("image/heic", [4, "ftyphei"]),
  form("image/heic", [4, "ftyphev"]),
  form("image/heif", [4, "ftypmif1"]),
  form("image/heif", [4, "ftypmsf1"]),
  form("image/tiff", [0, "II*\0"]),
  form("image/tiff", [0, "MM\0*"]),
  form("image/bmp", [0, "BM"], [6, "\0\0\0\0"]),
  form("image/x-icon", [0, "\0\0\x01\0"]),
  form("application/pdf", [0, "%PDF-"]),
  form("application/zip", [0, "PK\x03\x04"]),
  form("application/zip", [0, "PK\x05\x06"]),
  form("application/gzip", [0, "\x1f\x8b"]),
  form("application/x-bzip2", [0, "BZh"], [4, "1AY&SY"]),
  form("application/x-xz", [0, "\xfd7zXZ\0"]),
  form("application/zstd", [0, "\x28\xb5\x2f\xfd"]),
  form("application/x-7z-compressed", [0, "7z\xbc\xaf\x27\x1c"]),
  form("application/vnd.rar", [0, "Rar!\x1a\x07"]),
  form("application/x-tar", [257, "ustar"]),
  form("application/vnd.sqlite3", [0, "SQLite format 3\0"]),
  form("application/wasm", [0, "\0asm"]),
  form("application/x-elf", [0, "\x7fELF"]),
  form("application/x-mach-binary", [0, "\xcf\xfa\xed\xfe"]),
  form("application/x-mach-binary", [0, "\xca\xfe\xba\xbe\0\0\0\x02"]),
  form("application/java-vm", [0, "\xca\xfe\xba\xbe"]),
  form("application/vnd.microsoft.portable-executable", [0, "MZ"]),
  form("application/x-ole-storage", [0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"]),
  form("audio/wav", [0, "RIFF"], [8, "WAVE"]),
  form("video/x-msvideo", [0, "RIFF"], [8, "AVI "]),
  form("audio/mpeg", [0, "ID3"]),
  form("audio/flac", [0, "fLaC"]),
  form("application/ogg", [0, "OggS"]),
  form("video/webm", [0, "\x1a\x45\xdf\xa3"]),
  form("video/quicktime", [4, "ftypqt"]),
  form("audio/mp4", [4, "ftypM4A"]),
  form("video/mp4", [4, "ftyp"]),
  form("font/woff2", [0, "wOF2"]),
  form("font/woff", [0, "wOFF"]),
  form("font/otf", [0, "OTTO"]),
  form("font/ttf", [0, "\0\x01\0\0"]),
];

const HEAD_BYTES = 264;

interface Form {
  readonly mimeType: string;
  readonly parts: readonly (readonly [at: number, bytes: string])[];
}

const SCHEME = "artifact://";
const MAX_NAME_CHARS = 100;
const UNKNOWN_TYPE = "application/octet-stream";

export async function execute(call: ReadCall): Promise<ToolResult<ReadDetails>> {
  const { params, ctx, signal } = call;
  if (isArtifactPath(params.path)) return showArtifact(call);
  const at = (filePath: string) => ({ filePath, cwd: ctx.root, signal });
  const path = await withoutMention(
    params.path,
    async (name) => (await ctx.bridge.stat(at(name))) !== null,
  );
  return withFile(ctx.bridge, at(path), (opened) => showFile(call, opened));
}

async function showFile(call: ReadCall, opened: OpenedFile): Promise<ToolResult<ReadDetails>> {
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
  readonly details: Pick<ReadDetails, "requestedPath">;
  readonly isFromOutside?: boolean;
}

async function showText(call: ReadCall, file: TextFile): Promise<ToolResult<ReadDetails>> {
  const { params, ctx, signal } = call;
  const { head, finding, note, details, isFromOutside = false } = file;
  const { path, source } = file.opened;
  const { offset = 1, cursor = 0, limit } = params;
  const window = await readWindow({ source, head, finding, offset, cursor, path, signal });
  const maxChars = ctx.limits.resultChars;
  const page = { path, window, offset, cursor, limit, maxChars };
  return showPage({ ...page, note, details, isFromOutside });
}

async function showArtifact(call: ReadCall): Promise<ToolResult<ReadDetails>> {
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
  found: { mimeType: string; note: string; details: Pick<ReadDetails, "requestedPath"> },
): ToolResult<ReadDetails> {
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
  return `Opened "${own}": "${asked}" does not exist.`;
}

function isArtifactPath(path: string): boolean {
  return path.startsWith(SCHEME);
}

function readArtifact({ params, ctx }: ReadCall): Artifact {
  const artifact = ctx.artifacts?.read(params.path.slice(SCHEME.length), ctx.sessionKey);
  if (artifact !== undefined) return artifact;
  throw new ToolError(
    "not_found",
    "This session has no such artifact; it may have been dropped. Repeat the call that produced it.",
    { reason: "artifact_missing" },
  );
}

function fileTypeOf(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, HEAD_BYTES);
  return FORMS.find(({ parts }) => parts.every(([at, text]) => head.startsWith(text, at)))
    ?.mimeType;
}
