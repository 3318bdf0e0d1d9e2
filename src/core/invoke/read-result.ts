// What a tool gave back, read once into a copy: a result must not change, or throw, when the caller
// looks at it later.

import { ToolError } from "../errors.js";
import type { ContentBlock, ToolResult } from "../tool.js";

/** Throws ToolError `internal` when it is no result. */
export function readToolResult(value: unknown, toolName: string): ToolResult {
  const result = copyResult(value);
  if (result) return result;
  throw new ToolError(
    "internal",
    `${toolName} gave back something that is no tool result; it must return { content: [text or image blocks] }.`,
    { reason: "result_invalid" },
  );
}

function copyResult(value: unknown): ToolResult | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const blocks: unknown = Reflect.get(value, "content");
  if (!Array.isArray(blocks)) return undefined;
  const content: ContentBlock[] = [];
  for (const block of blocks) {
    const copy = copyBlock(block);
    if (copy === undefined) return undefined;
    content.push(copy);
  }
  const details: unknown = Reflect.get(value, "details");
  const untrusted: unknown = Reflect.get(value, "untrusted");
  return {
    content,
    ...(details === undefined ? {} : { details }),
    ...(Reflect.get(value, "isError") === true ? { isError: true } : {}),
    ...(untrusted === undefined ? {} : { untrusted: { source: readSource(untrusted) } }),
  };
}

/** Content marked untrusted stays so, however badly its source is named. */
function readSource(untrusted: unknown): string {
  const source: unknown =
    typeof untrusted === "object" && untrusted !== null
      ? Reflect.get(untrusted, "source")
      : undefined;
  return typeof source === "string" ? source : "unknown source";
}

function copyBlock(block: unknown): ContentBlock | undefined {
  if (typeof block !== "object" || block === null) return undefined;
  const type: unknown = Reflect.get(block, "type");
  if (type === "text") {
    const text: unknown = Reflect.get(block, "text");
    return typeof text === "string" ? { type, text } : undefined;
  }
  if (type !== "image") return undefined;
  const data: unknown = Reflect.get(block, "data");
  const mimeType: unknown = Reflect.get(block, "mimeType");
  if (typeof data !== "string" || typeof mimeType !== "string") return undefined;
  return { type, data, mimeType };
}
