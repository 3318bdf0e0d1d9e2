// Tool lists as OpenAI takes them: Chat Completions, and Responses in its flatter form.

import { type ListedTool, readToolList, type SendableTool } from "../tool-list.js";

export interface OpenAIFunction {
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
