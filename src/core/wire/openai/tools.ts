// Tool lists as OpenAI takes them: Chat Completions, and Responses in its flatter form.

import type { CompiledSchema } from "../../schema/targets/compile/schema.js";

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

export function toOpenAITools(compiled: readonly CompiledSchema[]): OpenAITool[] {
  return compiled.map((tool) => ({ type: "function", function: toFunction(tool) }));
}

/** The Responses API takes a function for strict unless it is told otherwise, so it always is. */
export function toOpenAIResponsesTools(compiled: readonly CompiledSchema[]): OpenAIResponsesTool[] {
  return compiled.map((tool) => ({
    type: "function",
    ...toFunction(tool),
    strict: tool.strict ?? false,
  }));
}

function toFunction({ name, description, schema, strict }: CompiledSchema): OpenAIFunction {
  const plain = { name, description, parameters: schema };
  return strict === undefined ? plain : { ...plain, strict };
}
