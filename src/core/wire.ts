// The door to the wire formats of tools, calls and results, one per provider.

export {
  type AnthropicTool,
  type AnthropicUserMessage,
  fromAnthropicToolUse,
  toAnthropicToolResults,
  toAnthropicTools,
} from "./wire/anthropic.js";
export { fromClaudeCodeName, toClaudeCodeName } from "./wire/claude-code-names.js";
export {
  fromGeminiFunctionCalls,
  type GeminiContent,
  type GeminiTools,
  toGeminiFunctionResponses,
  toGeminiTools,
} from "./wire/gemini.js";
export { fromOpenAIToolCalls } from "./wire/openai/calls.js";
export {
  type OpenAIResponsesOutput,
  type OpenAIToolMessage,
  toOpenAIResponsesOutputs,
  toOpenAIToolMessages,
} from "./wire/openai/messages.js";
export {
  type OpenAIResponsesTool,
  type OpenAITool,
  toOpenAIResponsesTools,
  toOpenAITools,
} from "./wire/openai/tools.js";
export type { WireToolCall, WireToolResult } from "./wire/wire-call.js";
