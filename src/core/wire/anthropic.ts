// Tools, calls and results in the shapes of Anthropic's Messages API.

import { isRecord } from "../schema/json-value.js";
import type { ContentBlock } from "../tool.js";
import {
  assertReadable,
  type ListedTool,
  type ReaderWords,
  readToolList,
  readWireCall,
  type WireToolCall,
  type WireToolResult,
} from "./wire-call.js";

const MAX_LEVELS = 4;
const WORDS: ReaderWords = {
  reader: "fromAnthropicToolUse",
  accepts: "a message or its content",
  keys: new Set(["content", "role", "type", "text"]),
};

const IMAGE_TYPES: ReadonlySet<string> = new Set([
  "image/gif",
  "image/jpeg",
  "image/png",
  "image/webp",
]);

export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: Record<string, unknown>;
}

type AnthropicContent =
  | { type: "text"; text: string }
  | { type: "image"; source: { type: "base64"; media_type: string; data: string } };

interface AnthropicToolResult {
  type: "tool_result";
  tool_use_id: string;
  content: AnthropicContent[];
  is_error?: true;
}

export interface AnthropicUserMessage {
  role: "user";
  content: AnthropicToolResult[];
}

export function toAnthropicTools(tools: readonly ListedTool[]): AnthropicTool[] {
  const list = readToolList(tools, { writer: "toAnthropicTools", target: "anthropic" });
  return list.map(({ name, description, schema }) => ({ name, description, input_schema: schema }));
}

export function fromAnthropicToolUse(message: unknown): WireToolCall[] {
  if (typeof message !== "string") assertReadable(message, WORDS);
  return listBlocks(message, MAX_LEVELS).map(({ id, name, input }, index) =>
    readWireCall({ id, name, arguments: input, index }),
  );
}

function listBlocks(message: unknown, levelsLeft: number): Record<string, unknown>[] {
  const listInner = (inner: unknown) => listBlocks(inner, levelsLeft - 1);
  if (levelsLeft === 0) return [];
  if (Array.isArray(message)) return message.flatMap(listInner);
  if (!isRecord(message)) return [];
  if (message.type === "tool_use") return [message];
  // Results of earlier calls have a content too, and it is not the model's.
  return message.type === "tool_result" ? [] : listInner(message.content);
}

export function toAnthropicToolResults(results: readonly WireToolResult[]): AnthropicUserMessage {
  return {
    role: "user",
    content: results.map((result) => ({
      type: "tool_result",
      tool_use_id: result.toolCallId,
      content: result.content.flatMap((block) => toContent(block, result)),
      ...(result.isError ? { is_error: true as const } : {}),
    })),
  };
}

function toContent(block: ContentBlock, { isError }: WireToolResult): AnthropicContent[] {
  if (block.type === "text") return block.text === "" ? [] : [{ type: "text", text: block.text }];
  const { mimeType, data } = block;
  if (isError || !IMAGE_TYPES.has(mimeType)) {
    return [{ type: "text", text: `[an image of type ${mimeType} cannot be shown here]` }];
  }
  return [{ type: "image", source: { type: "base64", media_type: mimeType, data } }];
}
