// Stage 8 of a call: no result floods the model's context. A tool that bounds itself is not cut.

import { cutChars } from "../../lib/unicode-text.js";
import type { ContentBlock, ToolResult } from "../tool.js";

/** Base64 characters of one image; providers refuse larger ones. */
const MAX_IMAGE_CHARS = 10 * 1024 * 1024;
const MAX_BLOCKS = 200;
/** Of what is kept, this share is the beginning; the rest is the end. */
const HEAD_SHARE = 0.7;

export function boundResult(result: ToolResult, resultChars: number): ToolResult {
  if (!isOverBound(result.content, resultChars)) return result;
  const content: ContentBlock[] = [];
  let left = resultChars;
  let dropped = 0;
  for (const block of result.content) {
    if (content.length >= MAX_BLOCKS || (block.type === "text" && left === 0)) {
      dropped++;
    } else if (block.type === "image") {
      content.push(boundImage(block));
    } else {
      content.push({ type: "text", text: cutText(block.text, left) });
      left = Math.max(0, left - block.text.length);
    }
  }
  if (dropped > 0) content.push({ type: "text", text: `[${dropped} further blocks left out.]` });
  return { ...result, content };
}

function isOverBound(content: readonly ContentBlock[], resultChars: number): boolean {
  if (content.length > MAX_BLOCKS) return true;
  let chars = 0;
  for (const block of content) {
    if (block.type === "image" && block.data.length > MAX_IMAGE_CHARS) return true;
    if (block.type === "text") chars += block.text.length;
  }
  return chars > resultChars;
}

function boundImage(block: Extract<ContentBlock, { type: "image" }>): ContentBlock {
  if (block.data.length <= MAX_IMAGE_CHARS) return block;
  return {
    type: "text",
    text: `[An image of ${block.data.length} base64 characters (${block.mimeType}) was left out: at most ${MAX_IMAGE_CHARS} are shown.]`,
  };
}

/** Keeps the beginning and the end; the notice between them says how much is missing. */
function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const notice = `\n[… ${text.length - maxChars} of ${text.length} characters left out here; ask for a smaller part …]\n`;
  const head = Math.floor(maxChars * HEAD_SHARE);
  const tail = maxChars - head;
  return `${cutChars(text, head)}${notice}${wholeEnd(tail === 0 ? "" : text.slice(-tail))}`;
}

/** A cut must not leave half of a character. */
function wholeEnd(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, "");
}
