// Tool results as OpenAI takes them. A tool message holds text only, so images follow in one user
// message behind all of them: the API wants every tool message directly after the call.

import type { ImageContent } from "../../tool.js";
import { joinText, listImages, type WireToolResult } from "../wire-call.js";

interface TextPart {
  type: "text";
  text: string;
}

interface ImagePart {
  type: "image_url";
  image_url: { url: string };
}

interface ToolMessage {
  role: "tool";
  tool_call_id: string;
  content: string;
}

interface ImagesMessage {
  role: "user";
  content: Array<TextPart | ImagePart>;
}

export type OpenAIToolMessage = ToolMessage | ImagesMessage;

export interface OpenAIResponsesOutput {
  type: "function_call_output";
  call_id: string;
  output: string | ResponsesPart[];
}

type ResponsesPart =
  | { type: "input_text"; text: string }
  | { type: "input_image"; image_url: string };

export function toOpenAIToolMessages(results: readonly WireToolResult[]): OpenAIToolMessage[] {
  const messages = results.map(
    (result): ToolMessage => ({
      role: "tool",
      tool_call_id: result.toolCallId,
      content: toText(result),
    }),
  );
  const parts = results.flatMap(toImageParts);
  return parts.length === 0 ? messages : [...messages, { role: "user", content: parts }];
}

export function toOpenAIResponsesOutputs(
  results: readonly WireToolResult[],
): OpenAIResponsesOutput[] {
  return results.map(({ toolCallId, content }) => ({
    type: "function_call_output",
    call_id: toolCallId,
    output: listImages(content).length === 0 ? joinText(content) : content.map(toResponsesPart),
  }));
}

function toText({ content }: WireToolResult): string {
  const text = joinText(content);
  const count = listImages(content).length;
  if (count === 0) return text;
  const notice = `[${count} ${count === 1 ? "image follows" : "images follow"} in the next message]`;
  return text === "" ? notice : `${text}\n${notice}`;
}

function toImageParts({ toolName, toolCallId, content }: WireToolResult): ImagesMessage["content"] {
  const images = listImages(content);
  if (images.length === 0) return [];
  const label = { type: "text", text: `From ${toolName} (${toolCallId}):` } as const;
  return [
    label,
    ...images.map((image) => ({
      type: "image_url" as const,
      image_url: { url: toDataUrl(image) },
    })),
  ];
}

function toResponsesPart(block: WireToolResult["content"][number]): ResponsesPart {
  return block.type === "text"
    ? { type: "input_text", text: block.text }
    : { type: "input_image", image_url: toDataUrl(block) };
}

function toDataUrl({ mimeType, data }: ImageContent): string {
  return `data:${mimeType};base64,${data}`;
}
