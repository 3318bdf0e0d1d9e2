// Tools, calls and results in the shapes of the Gemini API.

import { textOf } from "../results.js";
import { isRecord } from "../schema/json-value.js";
import {
  assertReadable,
  isMadeId,
  type ListedTool,
  listImages,
  listRecords,
  type ReaderWords,
  readToolList,
  readWireCall,
  type SendableTool,
  type WireToolCall,
  type WireToolResult,
} from "./wire-call.js";

const FIRST_WITH_INNER_IMAGES = 3;
const MAX_LEVELS = 6;
const WORDS: ReaderWords = {
  reader: "fromGeminiFunctionCalls",
  accepts: "a content, its parts, a whole response, or its functionCalls",
  keys: new Set([
    ...["candidates", "content", "parts", "role", "functionCall", "function_call", "name"],
    ...["functionCalls", "text", "finishReason", "promptFeedback", "usageMetadata"],
  ]),
};
const GENERATION = /gemini-(\d+)/i;

interface GeminiFunction {
  name: string;
  description: string;
  parameters?: Record<string, unknown>;
}

export type GeminiTools = [{ functionDeclarations: GeminiFunction[] }] | [];

interface GeminiImage {
  inlineData: { mimeType: string; data: string };
}

interface GeminiFunctionResponse {
  functionResponse: {
    id?: string;
    name: string;
    response: { output: string } | { error: string };
    parts?: GeminiImage[];
  };
}

export interface GeminiContent {
  role: "user";
  parts: Array<GeminiFunctionResponse | GeminiImage | { text: string }>;
}

export function toGeminiTools(tools: readonly ListedTool[]): GeminiTools {
  const list = readToolList(tools, { writer: "toGeminiTools", target: "gemini" });
  return list.length === 0 ? [] : [{ functionDeclarations: list.map(toFunction) }];
}

function toFunction({ name, description, schema }: SendableTool): GeminiFunction {
  const { properties } = schema;
  const isEmpty = !isRecord(properties) || Object.keys(properties).length === 0;
  return isEmpty ? { name, description } : { name, description, parameters: schema };
}

export interface GeminiCallOptions {
  /** Number of the turn; it makes ids differ between turns where the API gives none. */
  readonly turn?: number | undefined;
}

/** Throws a ToolInputError for a call that names no tool, and for what is not a message. */
export function fromGeminiFunctionCalls(
  content: unknown,
  options: GeminiCallOptions = {},
): WireToolCall[] {
  assertReadable(content, WORDS);
  return listCalls(content, MAX_LEVELS).map(({ id, name, args }, index) =>
    readWireCall({ id, name, arguments: args ?? {}, index, turn: options.turn }),
  );
}

function listCalls(content: unknown, levelsLeft: number): Record<string, unknown>[] {
  const listInner = (inner: unknown) => listCalls(inner, levelsLeft - 1);
  if (levelsLeft === 0) return [];
  if (Array.isArray(content)) return content.flatMap(listInner);
  if (!isRecord(content)) return [];
  const call = content.functionCall ?? content.function_call;
  if (isRecord(call)) return [call];
  if (Array.isArray(content.parts)) return listInner(content.parts);
  if (isRecord(content.content)) return listInner(content.content);
  // One answer is taken; further candidates are other answers to the same question.
  if (Array.isArray(content.candidates)) return listInner(listRecords(content.candidates)[0]);
  if (Array.isArray(content.functionCalls)) return listInner(content.functionCalls);
  // What the SDK gives as `response.functionCalls` are the calls themselves.
  return typeof content.name === "string" ? [content] : [];
}

export interface GeminiResponseOptions {
  /** Model id; Gemini 3 and later get images inside the response, others besides it. */
  readonly model?: string | undefined;
}

export function toGeminiFunctionResponses(
  results: readonly WireToolResult[],
  options: GeminiResponseOptions = {},
): GeminiContent {
  const generation = Number(GENERATION.exec(options.model ?? "")?.[1] ?? 0);
  const isInside = generation >= FIRST_WITH_INNER_IMAGES;
  const responses = results.map((result) => {
    const images = isInside ? toImages(result) : [];
    return {
      functionResponse: {
        ...(isMadeId(result.toolCallId) ? {} : { id: result.toolCallId }),
        name: result.toolName,
        response: toResponse(result),
        ...(images.length === 0 ? {} : { parts: images }),
      },
    };
  });
  const labelledImages = isInside ? [] : results.flatMap(toLabelledImages);
  return { role: "user", parts: [...responses, ...labelledImages] };
}

function toResponse({ content, isError }: WireToolResult): { output: string } | { error: string } {
  const text = textOf({ content });
  return isError ? { error: text } : { output: text };
}

function toLabelledImages(result: WireToolResult): Array<GeminiImage | { text: string }> {
  const images = toImages(result);
  return images.length === 0 ? [] : [{ text: `From ${result.toolName}:` }, ...images];
}

function toImages({ content }: WireToolResult): GeminiImage[] {
  return listImages(content).map(({ mimeType, data }) => ({ inlineData: { mimeType, data } }));
}
