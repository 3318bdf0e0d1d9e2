// The door to the wire formats of tools, calls and results, one per provider.

export {
  type AnthropicTool,
  type AnthropicUserMessage,
  fromAnthropicToolUse,
  toAnthropicToolResults,
  toAnthropicTools,
} from "./wire/anthropic.js";
export {
  fromGeminiFunctionCalls,
  type GeminiContent,
  type GeminiTools,
  toGeminiFunctionResponses,
  toGeminiTools,
} from "./wire/gemini.js";
export {
  fromOpenAIToolCalls,
  type OpenAIResponsesOutput,
  type OpenAIResponsesTool,
  type OpenAITool,
  type OpenAIToolMessage,
  toOpenAIResponsesOutputs,
  toOpenAIResponsesTools,
  toOpenAIToolMessages,
  toOpenAITools,
} from "./wire/openai.js";
export {
  fromClaudeCodeName,
  toClaudeCodeName,
  type WireToolCall,
  type WireToolResult,
} from "./wire/wire-call.js";
