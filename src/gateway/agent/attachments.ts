// Images and text files that a client sends with a message.

import { type ContentBlock, ToolError, ToolInputError } from "../../core/index.js";
import { readText } from "../../lib/read-field.js";

const MAX_ATTACHMENTS = 20;
const MAX_BYTES = 10 * 1024 * 1024;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The text first. Throws a ToolInputError that names the attachment. */
export function readAttachments(message: string, given: readonly unknown[] = []): ContentBlock[] {
  if (given.length > MAX_ATTACHMENTS) {
    throw new ToolError(
      "limit",
      `${given.length} attachments; a message takes ${MAX_ATTACHMENTS}.`,
      {
        reason: "too_many_attachments",
      },
    );
  }
  const text =
    message.trim() === "" && given.length > 0 ? [] : [{ type: "text" as const, text: message }];
  return [...text, ...given.map(readAttachment)];
}

function readAttachment(given: unknown, index: number): ContentBlock {
  const name = readText(given, "fileName") ?? `attachment ${index + 1}`;
  const url = readText(given, "content") ?? readText(given, "data") ?? "";
  const [, urlType, urlData] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  const data = (urlData ?? url).replace(/\s+/g, "");
  const mimeType = readText(given, "mimeType") ?? urlType ?? "";
  if (data === "" || !BASE64.test(data)) {
    throw new ToolInputError(`${name}: the content is not base64.`, {
      reason: "attachment_invalid",
    });
  }
  if ((data.length * 3) / 4 > MAX_BYTES) {
    throw new ToolError("limit", `${name} is larger than ${MAX_BYTES / 1024 / 1024} MB.`, {
      reason: "attachment_too_large",
    });
  }
  if (mimeType.startsWith("image/")) return { type: "image", data, mimeType };
  if (mimeType.startsWith("text/") || mimeType === "application/json") {
    const text = Buffer.from(data, "base64").toString("utf8");
    return { type: "text", text: `File ${name}:\n\n${text}` };
  }
  throw new ToolInputError(
    `${name}: "${mimeType}" is not supported. Send an image or a text file.`,
    {
      reason: "attachment_invalid",
    },
  );
}
