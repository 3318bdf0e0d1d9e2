// Sentences of a tool itself about its result. They stand in a block of their own behind the content
// and outside of the wrapper: a page that imitates them only imitates them inside of it.

import { toPrintable } from "../../lib/printable.js";
import type { ToolResult } from "../tool.js";
import { neutralizeText } from "./neutralize.js";

const MAX_NOTICES = 20;
const MAX_NOTICE_CHARS = 3_000;
const FILE_LINE = /^(?:MEDIA|FILE):/;

export function showNotices({ notices = [], ...result }: ToolResult): ToolResult {
  if (notices.length === 0) return result;
  const text = notices.slice(0, MAX_NOTICES).map(toLine).join("\n");
  return { ...result, content: [...result.content, { type: "text", text }] };
}

function toLine(notice: string): string {
  const text = neutralizeText(toPrintable(notice, MAX_NOTICE_CHARS));
  return FILE_LINE.test(text) ? text : `[${text}]`;
}
