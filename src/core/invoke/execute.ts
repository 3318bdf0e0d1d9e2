// Stage 7: runs the tool, passes on its progress, and accepts only a valid result.

import { readText } from "../../lib/read-field.js";
import { cutChars } from "../../lib/unicode-text.js";
import { isToolError, ToolError } from "../errors.js";
import type { Turn } from "../files/with-files.js";
import { errorResult } from "../results.js";
import { copyPlain } from "../schema/json-value.js";
import type { ContentBlock, ToolResult, ToolUpdate, ToolUpdateCallback } from "../tool.js";
import { type UntrustedWrapper, wrapUntrustedBlocks } from "../untrusted/wrap.js";
import type { Callable } from "./callable.js";

interface ExecuteRequest {
  readonly callable: Callable;
  readonly toolCallId: string;
  readonly params: unknown;
  readonly signal: AbortSignal;
  readonly place: Turn | undefined;
  readonly begin?: (() => Promise<unknown>) | undefined;
  readonly onUpdate: ToolUpdateCallback | undefined;
  readonly report: (problem: { message: string; cause: unknown }) => void;
  readonly wrap: UntrustedWrapper;
}

export async function executeCall(request: ExecuteRequest): Promise<ToolResult> {
  const { callable, toolCallId, params, signal, place, begin } = request;
  const updates = createUpdates(request);
  try {
    const result: unknown = await callable.run({
      toolCallId,
      params,
      signal,
      update: updates.send,
      place,
      begin,
    });
    return readToolResult(result, callable.name);
  } finally {
    updates.end();
  }
}

function createUpdates({ callable, signal, onUpdate, report, wrap }: ExecuteRequest) {
  let isOver = false;
  const fail = (cause: unknown) => {
    isOver = true;
    const message = `onUpdate of a ${callable.name} call failed; it gets no more updates.`;
    report({ message, cause });
  };
  return {
    send(partial: ToolUpdate): void {
      if (isOver || signal.aborted || onUpdate === undefined) return;
      try {
        // Typed as void, but nothing keeps a caller from passing an async function.
        const answer: unknown = onUpdate(wrapUpdate(partial, { callable, wrap }));
        if (typeof answer === "object" && answer !== null) {
          Promise.resolve(answer).catch(fail);
        }
      } catch (cause) {
        fail(cause);
      }
    },
    end(): void {
      isOver = true;
    },
  };
}

function wrapUpdate(
  partial: ToolUpdate,
  { callable, wrap }: Pick<ExecuteRequest, "callable" | "wrap">,
): ToolUpdate {
  if (partial?.untrusted === undefined) return partial;
  const read = readToolResult({ ...partial, content: partial.content ?? [] }, callable.name);
  const source = read.untrusted?.source ?? callable.name;
  return { ...read, content: wrapUntrustedBlocks(read.content, { source, wrap }) };
}

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

function copyBlock(block: unknown): ContentBlock | string {
  if (typeof block !== "object" || block === null) return `is ${kindOf(block)}`;
  const { type, text, data, mimeType }: Readonly<Record<string, unknown>> = Object(block);
  if (type === "text") {
    return typeof text === "string" ? { type, text } : `has as its text ${kindOf(text)}`;
  }
  if (type !== "image") return "has neither the type text nor image";
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

function readNotices(notices: unknown): readonly string[] {
  if (!Array.isArray(notices)) return [];
  const first: readonly unknown[] = notices.slice(0, MAX_NOTICES_READ);
  return first.filter((notice) => typeof notice === "string");
}

/** Content marked untrusted stays so, however badly its source is named. */
function readSource(untrusted: unknown): string {
  const source = readText(untrusted, "source") ?? "";
  return source.trim() === "" ? UNKNOWN_SOURCE : cutChars(source, MAX_SOURCE_CHARS);
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
