// An answer that is no text: it is called by what is known of its kind, and never by words that only
// its server knows.

import { type NetResponse, ToolError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";

const KNOWN_TYPES: ReadonlySet<string> = new Set([
  ...["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"],
  ...["image/tiff", "image/heic", "image/x-icon", "audio/mpeg", "audio/ogg", "audio/wav"],
  ...["audio/aac", "audio/flac", "video/mp4", "video/webm", "video/mpeg", "video/quicktime"],
  ...["font/woff", "font/woff2", "font/ttf", "font/otf", "application/zip", "application/gzip"],
  ...["application/x-tar", "application/x-7z-compressed", "application/x-bzip2"],
  ...["application/vnd.rar", "application/java-archive", "application/msword"],
  ...["application/vnd.ms-excel", "application/vnd.ms-powerpoint", "application/epub+zip"],
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  ...["application/wasm", "application/octet-stream"],
]);
const BY_FAMILY: ReadonlyMap<string, string> = new Map([
  ["image", "a picture"],
  ["audio", "a sound"],
  ["video", "a film"],
  ["font", "a font"],
]);

export function notText(answer: {
  readonly response: NetResponse;
  readonly asked: string;
  readonly contentType: string;
}): ToolError {
  const { response, asked, contentType } = answer;
  const bytes = response.body.length;
  return new ToolError(
    "failed",
    `${toPrintable(asked)} is ${nameKind(contentType)} (${bytes} bytes), which web_fetch cannot show as text.`,
    { reason: "content_not_text", details: { contentType, bytes, url: response.url } },
  );
}

function nameKind(contentType: string): string {
  const [type = ""] = contentType.toLowerCase().split(";");
  const name = type.trim();
  const [family = ""] = name.split("/");
  return KNOWN_TYPES.has(name) ? name : (BY_FAMILY.get(family) ?? "of another kind");
}
