// Tools, calls and results in OpenAI's formats: chat completions and responses.

import { textOf } from "../results.js";
import { isRecord } from "../schema/json-value.js";
import type { ImageContent } from "../tool.js";
import {
  assertReadable,
  type ListedTool,
  listImages,
  listRecords,
  type ReaderWords,
  readToolList,
  readWireCall,
  type SendableTool,
  unreadable,
  type WireToolCall,
  type WireToolResult,
} from "./wire-call.js";

const MAX_LEVELS = 5;
const WORDS: ReaderWords = {
  reader: "fromOpenAIToolCalls",
  accepts: "a chat message, its tool_calls, a whole completion or response, or its output items",
  keys: new Set([
    ...["role", "content", "tool_calls", "function_call", "refusal", "message", "choices"],
    ...["output", "type", "function", "custom", "name", "call_id"],
  ]),
};

/** Throws a ToolInputError for a call that names no tool, and for what is not a message. */
export function fromOpenAIToolCalls(message: unknown): WireToolCall[] {
  assertReadable(message, WORDS);
  return listRawCalls(message, MAX_LEVELS).map((call, index) => readWireCall({ ...call, index }));
}

interface RawCall {
  readonly id: unknown;
  readonly name: unknown;
  readonly arguments: unknown;
}

function listRawCalls(message: unknown, levelsLeft: number): RawCall[] {
  const listInner = (inner: unknown) => listRawCalls(inner, levelsLeft - 1);
  if (levelsLeft === 0) return [];
  if (Array.isArray(message)) return message.flatMap(listInner);
  if (!isRecord(message)) return [];
  const call = readCall(message);
  if (call) return [call];
  if (Array.isArray(message.output)) return message.output.flatMap(listInner);
  // One answer is taken; further choices are other answers to the same question.
  if (Array.isArray(message.choices)) return listInner(listRecords(message.choices)[0]);
  if (isRecord(message.delta)) return refuseDelta(message.delta);
  if (isRecord(message.message)) return listInner(message.message);
  if (Array.isArray(message.tool_calls)) {
    return listRecords(message.tool_calls).map((entry) => readCall(entry) ?? NAMELESS);
  }
  // The form before `tool_calls`, which had no ids.
  return isRecord(message.function_call) ? [toRawCall(undefined, message.function_call)] : [];
}

const NAMELESS: RawCall = { id: undefined, name: undefined, arguments: undefined };

function readCall(entry: Record<string, unknown>): RawCall | undefined {
  if (isRecord(entry.function)) return toRawCall(entry.id, entry.function);
  if (isRecord(entry.custom)) return toRawCall(entry.id, entry.custom);
  const isItem = entry.type === "function_call" || entry.type === "custom_tool_call";
  return isItem ? toRawCall(entry.call_id ?? entry.id, entry) : undefined;
}

function toRawCall(id: unknown, called: Record<string, unknown>): RawCall {
  return { id, name: called.name, arguments: called.arguments ?? called.input };
}

function refuseDelta(delta: Record<string, unknown>): RawCall[] {
  if (!Array.isArray(delta.tool_calls) && !isRecord(delta.function_call)) return [];
  throw unreadable(WORDS, "a piece of a stream: put its pieces together first");
}

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
    output: listImages(content).length === 0 ? textOf({ content }) : content.map(toResponsesPart),
  }));
}

function toText({ content }: WireToolResult): string {
  const text = textOf({ content });
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

interface OpenAIFunction {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  /** One list may hold strict and other functions. */
  strict?: boolean;
}

export interface OpenAITool {
  type: "function";
  function: OpenAIFunction;
}

export interface OpenAIResponsesTool extends OpenAIFunction {
  type: "function";
  strict: boolean;
}

export function toOpenAITools(tools: readonly ListedTool[]): OpenAITool[] {
  const list = readToolList(tools, { writer: "toOpenAITools", target: "openai" });
  return list.map((tool) => ({ type: "function", function: toFunction(tool) }));
}

/** The Responses API takes a function for strict unless it is reported otherwise, so it always is. */
export function toOpenAIResponsesTools(tools: readonly ListedTool[]): OpenAIResponsesTool[] {
  const list = readToolList(tools, { writer: "toOpenAIResponsesTools", target: "openai" });
  return list.map((tool) => ({
    type: "function",
    ...toFunction(tool),
    strict: tool.strict ?? false,
  }));
}

function toFunction({ name, description, schema, strict }: SendableTool): OpenAIFunction {
  const plain = { name, description, parameters: schema };
  return strict === undefined ? plain : { ...plain, strict };
}
