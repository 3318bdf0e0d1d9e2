// What a tool gave back, read once into a copy: a result must not change, or throw, when the caller
// looks at it later.

import { cutChars } from "../../../lib/unicode-text.js";
import { isToolError, ToolError } from "../../errors.js";
import { errorResult } from "../../results.js";
import type { ContentBlock, ToolResult } from "../../tool.js";
import { copyPlain } from "../copy-plain.js";

/** More blocks than any result shows; reading them all would hold up every other call. */
const MAX_BLOCKS_READ = 100_000;
const MAX_SOURCE_CHARS = 200;
const MAX_NOTICES_READ = 100;
const ERROR_LINE = '{"status":"error",';
const UNSAID = "The tool reported a failure without saying why.";
const UNKNOWN_SOURCE = "unknown source";

/** Throws ToolError `internal` when it is not a result, `limit` when it has too many blocks. */
export function readToolResult(value: unknown, toolName: string): ToolResult {
  try {
    return copyResult(value, toolName);
  } catch (error) {
    if (isToolError(error)) throw error;
    // A getter or a proxy threw, and whatever it threw says nothing of the work.
    throw invalid(toolName, "it cannot be read", error);
  }
}

function copyResult(value: unknown, toolName: string): ToolResult {
  if (typeof value !== "object" || value === null) {
    throw invalid(toolName, `it is ${kindOf(value)}`);
  }
  const content = copyContent(Reflect.get(value, "content"), toolName);
  const details = copyPlain(Reflect.get(value, "details"));
  const untrusted: unknown = Reflect.get(value, "untrusted");
  const notices = readNotices(Reflect.get(value, "notices"));
  const isError = Reflect.get(value, "isError") === true;
  return {
    content: isError && untrusted === undefined ? withErrorLine(content, toolName) : content,
    ...(details === undefined ? {} : { details }),
    ...(isError ? { isError: true } : {}),
    ...(untrusted === undefined ? {} : { untrusted: { source: readSource(untrusted) } }),
    ...(notices.length === 0 ? {} : { notices }),
  };
}

/** A failure begins with the documented line, also when the tool reported it by a result of its own. */
function withErrorLine(content: readonly ContentBlock[], toolName: string): ContentBlock[] {
  const [first, ...rest] = content;
  if (first?.type === "text" && first.text.startsWith(ERROR_LINE)) return [...content];
  if (first?.type !== "text") return [...errorResult(toolName, UNSAID).content, ...content];
  return [...errorResult(toolName, first.text).content, ...rest];
}

function copyContent(blocks: unknown, toolName: string): ContentBlock[] {
  if (!Array.isArray(blocks)) {
    throw invalid(toolName, `its content is ${kindOf(blocks)}, not a list of blocks`);
  }
  const count = blocks.length;
  if (count > MAX_BLOCKS_READ) throw tooManyBlocks(toolName, count);
  return Array.from({ length: count }, (_, index) => {
    const block: unknown = Reflect.get(blocks, index);
    const copy = copyBlock(block);
    if (typeof copy === "string") throw invalid(toolName, `content[${index}] ${copy}`);
    return copy;
  });
}

/** The block, or what is wrong with it. */
function copyBlock(block: unknown): ContentBlock | string {
  if (typeof block !== "object" || block === null) return `is ${kindOf(block)}`;
  const type: unknown = Reflect.get(block, "type");
  if (type === "text") {
    const text: unknown = Reflect.get(block, "text");
    if (typeof text === "string") return { type, text };
    return `has as its text ${kindOf(text)}`;
  }
  if (type !== "image") return "has neither the type text nor image";
  const data: unknown = Reflect.get(block, "data");
  const mimeType: unknown = Reflect.get(block, "mimeType");
  if (typeof data !== "string") return `has as its data ${kindOf(data)}, not base64 text`;
  if (typeof mimeType === "string") return { type, data, mimeType };
  return `has as its mimeType ${kindOf(mimeType)}`;
}

/** Never the value itself: it may be text from outside, and no wrapper is around an error. */
function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (typeof value === "string") return "text";
  if (ArrayBuffer.isView(value)) return "bytes";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Ignores notices that are not strings. */
function readNotices(notices: unknown): readonly string[] {
  if (!Array.isArray(notices)) return [];
  const first: readonly unknown[] = notices.slice(0, MAX_NOTICES_READ);
  return first.filter((notice) => typeof notice === "string");
}

/** Content marked untrusted stays so, however badly its source is named. */
function readSource(untrusted: unknown): string {
  const source: unknown =
    typeof untrusted === "object" && untrusted !== null
      ? Reflect.get(untrusted, "source")
      : undefined;
  if (typeof source !== "string" || source.trim() === "") return UNKNOWN_SOURCE;
  return cutChars(source, MAX_SOURCE_CHARS);
}

function invalid(toolName: string, problem: string, cause?: unknown): ToolError {
  return new ToolError(
    "internal",
    `${toolName} did not return a tool result: ${problem}. It must return { content: [text or image blocks] }.`,
    { reason: "result_invalid", cause },
  );
}

function tooManyBlocks(toolName: string, count: number): ToolError {
  return new ToolError(
    "limit",
    `${toolName} gave back ${count} blocks; a result may have ${MAX_BLOCKS_READ}. What it did remains; it should join its texts.`,
    { reason: "result_too_large" },
  );
}
