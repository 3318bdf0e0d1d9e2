// Images and text files that a client sends with a message. Images become copies that every provider
// takes: one that a provider refuses would stay in the conversation and end each later run.

import {
  type ContentBlock,
  type Images,
  isToolError,
  ToolError,
  ToolInputError,
  t,
} from "../../core/index.js";
import { readText } from "../../lib/read-field.js";

const MAX_ATTACHMENTS = 20;
const MAX_BYTES = 10 * 1024 * 1024;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const IMAGE_LIMITS = { maxPixels: 100_000_000, maxSide: 1_568, maxBytes: 3_500_000 };
/** What providers take as it is. */
const PLAIN_IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

export const attachmentsParam = () =>
  t.optional(
    t.array(t.unknown(), {
      description: "Images, sent as small copies, and text files; at most 10 MB each.",
    }),
  );

export interface AttachmentsRequest {
  readonly message: string;
  readonly attachments: readonly unknown[] | undefined;
  readonly images: Images;
  readonly signal: AbortSignal;
}

/** The text first. Throws a ToolError that names the attachment. */
export async function readAttachments(request: AttachmentsRequest): Promise<ContentBlock[]> {
  const { message, attachments: given = [] } = request;
  if (given.length > MAX_ATTACHMENTS) {
    throw new ToolError(
      "limit",
      `${given.length} attachments; a message takes ${MAX_ATTACHMENTS}.`,
      { reason: "too_many_attachments" },
    );
  }
  const blocks: ContentBlock[] =
    message.trim() === "" && given.length > 0 ? [] : [{ type: "text", text: message }];
  for (const [index, one] of given.entries()) blocks.push(await readOne(one, index, request));
  return blocks;
}

async function readOne(
  given: unknown,
  index: number,
  request: AttachmentsRequest,
): Promise<ContentBlock> {
  const name = readText(given, "fileName") ?? `attachment ${index + 1}`;
  const url = readText(given, "content") ?? readText(given, "data") ?? "";
  const [, urlType, urlData] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  const data = (urlData ?? url).replace(/\s+/g, "");
  const mimeType = readText(given, "mimeType") ?? urlType ?? "";
  if (data === "" || !BASE64.test(data)) throw invalid(`${name}: the content is not base64.`);
  if ((data.length * 3) / 4 > MAX_BYTES) {
    throw new ToolError("limit", `${name} is larger than ${MAX_BYTES / 1024 / 1024} MB.`, {
      reason: "attachment_too_large",
    });
  }
  const bytes = Buffer.from(data, "base64");
  if (mimeType.startsWith("image/")) return await toImage({ name, bytes, mimeType }, request);
  if (mimeType.startsWith("text/") || mimeType === "application/json") {
    return { type: "text", text: `File ${name}:\n\n${bytes.toString("utf8")}` };
  }
  throw invalid(`${name}: "${mimeType}" is not supported. Send an image or a text file.`);
}

async function toImage(
  { name, bytes, mimeType }: { name: string; bytes: Buffer; mimeType: string },
  { images, signal }: AttachmentsRequest,
): Promise<ContentBlock> {
  try {
    const shown = await images.shrink({ bytes, limits: IMAGE_LIMITS, signal });
    const data = Buffer.from(shown.bytes).toString("base64");
    return { type: "image", data, mimeType: shown.mimeType };
  } catch (error) {
    if (!isToolError(error) || signal.aborted) throw error;
    const isPlain = PLAIN_IMAGES.includes(mimeType) && bytes.length <= IMAGE_LIMITS.maxBytes;
    const hasNoDecoder = error.reason === "images_unavailable";
    if (hasNoDecoder && isPlain) return { type: "image", data: bytes.toString("base64"), mimeType };
    throw hasNoDecoder ? error : invalid(`${name}: ${error.message}`);
  }
}

function invalid(message: string): ToolInputError {
  return new ToolInputError(message, { reason: "attachment_invalid" });
}
