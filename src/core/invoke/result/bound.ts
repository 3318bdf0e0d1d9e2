// Stage 8 of a call: no result floods the model's context. A tool that bounds itself is not cut.

import { cutChars } from "../../../lib/unicode-text.js";
import type { ContentBlock, ToolResult } from "../../tool.js";

/** Base64 characters of all images of a result together; providers refuse more. */
const MAX_IMAGE_CHARS = 10 * 1024 * 1024;
const MAX_BLOCKS = 200;
/** Of what is kept, this share is the beginning; the rest is the end. */
const HEAD_SHARE = 0.7;

/** Keeps the whole text somewhere; gives back how to read it, as the end of "ask for …". */
export type KeepText = (text: string) => string | undefined;

export function boundResult(result: ToolResult, resultChars: number, keep?: KeepText): ToolResult {
  if (!isOverBound(result.content, resultChars)) return result;
  const content: ContentBlock[] = [];
  let left = resultChars;
  let imageCharsLeft = MAX_IMAGE_CHARS;
  const dropped: string[] = [];
  for (const block of result.content) {
    if (content.length >= MAX_BLOCKS || (block.type === "text" && left === 0)) {
      dropped.push(block.type === "text" ? block.text : "[image]");
    } else if (block.type === "text") {
      content.push({ type: "text", text: cutText(block.text, { maxChars: left, keep }) });
      left = Math.max(0, left - block.text.length);
    } else if (block.data.length <= imageCharsLeft) {
      content.push(block);
      imageCharsLeft -= block.data.length;
    } else {
      content.push(omittedImage(block));
    }
  }
  if (dropped.length > 0) {
    const next = keep?.(dropped.join("\n"));
    const hint = next === undefined ? "." : `; ask for ${next}.`;
    content.push({ type: "text", text: `[${dropped.length} further blocks left out${hint}]` });
  }
  return { ...result, content };
}

export function countChars(content: readonly ContentBlock[]): number {
  return content.reduce((sum, block) => sum + (block.type === "text" ? block.text.length : 0), 0);
}

function isOverBound(content: readonly ContentBlock[], resultChars: number): boolean {
  let chars = 0;
  let imageChars = 0;
  for (const block of content) {
    if (block.type === "text") chars += block.text.length;
    else imageChars += block.data.length;
  }
  return content.length > MAX_BLOCKS || chars > resultChars || imageChars > MAX_IMAGE_CHARS;
}

function omittedImage({ data, mimeType }: Extract<ContentBlock, { type: "image" }>): ContentBlock {
  return {
    type: "text",
    text: `[An image of ${data.length} base64 characters (${cutChars(mimeType, 100)}) was left out: a result shows at most ${MAX_IMAGE_CHARS}.]`,
  };
}

/** Keeps the beginning and the end; the notice between them says how much is missing. */
function cutText(
  text: string,
  { maxChars, keep }: { maxChars: number; keep: KeepText | undefined },
): string {
  if (text.length <= maxChars) return text;
  const next = keep?.(text) ?? "a smaller part";
  const notice = `\n[… ${text.length - maxChars} of ${text.length} characters left out here; ask for ${next} …]\n`;
  const head = Math.floor(maxChars * HEAD_SHARE);
  const tail = maxChars - head;
  return `${cutChars(text, head)}${notice}${wholeEnd(tail === 0 ? "" : text.slice(-tail))}`;
}

/** A cut must not leave half of a character. */
function wholeEnd(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, "");
}
