// Tools, calls and results in the shapes of Anthropic's Messages API.

import { isRecord } from "../schema/json-value.js";
import type { CompiledSchema } from "../schema/targets/compile/schema.js";
import type { ContentBlock } from "../tool.js";
import { listRecords, readWireCall, type WireToolCall, type WireToolResult } from "./wire-call.js";

/** The only kinds of image that the API takes. */
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

export function toAnthropicTools(compiled: readonly CompiledSchema[]): AnthropicTool[] {
  return compiled.map(({ name, description, schema }) => ({
    name,
    description,
    input_schema: schema,
  }));
}

/**
 * Takes a message or its content. None when it has none; throws a ToolInputError for a call that
 * names no tool.
 */
export function fromAnthropicToolUse(message: unknown): WireToolCall[] {
  const content = isRecord(message) && message.type !== "tool_use" ? message.content : message;
  return listRecords([content].flat())
    .filter((block) => block.type === "tool_use")
    .map(({ id, name, input }, index) => readWireCall({ id, name, arguments: input, index }));
}

/** One message for all results of a turn: the API wants them together, directly after the calls. */
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

/** An empty text is refused; so is an image in a failed result, or of another kind. */
function toContent(block: ContentBlock, { isError }: WireToolResult): AnthropicContent[] {
  if (block.type === "text") return block.text === "" ? [] : [{ type: "text", text: block.text }];
  const { mimeType, data } = block;
  if (isError || !IMAGE_TYPES.has(mimeType)) {
    return [{ type: "text", text: `[an image of type ${mimeType} cannot be shown here]` }];
  }
  return [{ type: "image", source: { type: "base64", media_type: mimeType, data } }];
}
