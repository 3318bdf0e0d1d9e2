// Tools, calls and results in the shapes of the Gemini API.

import { isRecord } from "../schema/json-value.js";
import type { CompiledSchema } from "../schema/targets/compile/schema.js";
import {
  isMadeId,
  joinText,
  listImages,
  listRecords,
  readWireCall,
  type WireToolCall,
  type WireToolResult,
} from "./wire-call.js";

/** From this generation on a function response may hold images itself. */
const FIRST_WITH_INNER_IMAGES = 3;
const GENERATION = /gemini-(\d+)/i;

interface GeminiFunction {
  name: string;
  description: string;
  /** Left out for a tool without parameters: an empty object is refused. */
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

export function toGeminiTools(compiled: readonly CompiledSchema[]): GeminiTools {
  return compiled.length === 0 ? [] : [{ functionDeclarations: compiled.map(toFunction) }];
}

function toFunction({ name, description, schema }: CompiledSchema): GeminiFunction {
  const { properties } = schema;
  const isEmpty = !isRecord(properties) || Object.keys(properties).length === 0;
  return isEmpty ? { name, description } : { name, description, parameters: schema };
}

export interface GeminiCallOptions {
  /** Number of the turn; it makes ids differ between turns where the API gives none. */
  readonly turn?: number | undefined;
}

/**
 * Takes a content, its parts, or a whole response. A call without an id gets `call_<index>`, or
 * `call_<turn>_<index>`, and is marked. Throws a ToolInputError for a call that names no tool.
 */
export function fromGeminiFunctionCalls(
  content: unknown,
  options: GeminiCallOptions = {},
): WireToolCall[] {
  return listParts(content)
    .map((part) => part.functionCall)
    .filter(isRecord)
    .map(({ id, name, args }, index) =>
      readWireCall({ id, name, arguments: args ?? {}, index, turn: options.turn }),
    );
}

function listParts(content: unknown): Record<string, unknown>[] {
  if (Array.isArray(content)) return listRecords(content);
  if (!isRecord(content)) return [];
  if (Array.isArray(content.parts)) return listRecords(content.parts);
  if (isRecord(content.functionCall)) return [content];
  // One answer is taken; further candidates are other answers to the same question.
  return listParts(
    isRecord(content.content) ? content.content : listRecords(content.candidates)[0],
  );
}

export interface GeminiResponseOptions {
  /** Model id; Gemini 3 and later get images inside the response, others beside it. */
  readonly model?: string | undefined;
}

/** An id that was made here is not sent: the API did not give it and would not know it. */
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
  const beside = isInside ? [] : results.flatMap(toLabelledImages);
  return { role: "user", parts: [...responses, ...beside] };
}

function toResponse({ content, isError }: WireToolResult): { output: string } | { error: string } {
  const text = joinText(content);
  return isError ? { error: text } : { output: text };
}

function toLabelledImages(result: WireToolResult): Array<GeminiImage | { text: string }> {
  const images = toImages(result);
  return images.length === 0 ? [] : [{ text: `From ${result.toolName}:` }, ...images];
}

function toImages({ content }: WireToolResult): GeminiImage[] {
  return listImages(content).map(({ mimeType, data }) => ({ inlineData: { mimeType, data } }));
}
