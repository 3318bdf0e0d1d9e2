// OpenAI's chat completions, as OpenAI and many other services speak them: the request. How services
// differ is in `compat`; reading the answer is in read-event.ts.

import type { ModelDescriptor } from "../../core/connector.js";
import { toOpenAIToolMessages, toOpenAITools } from "../../core/wire.js";
import { carryOver } from "../carry-over.js";
import { groupMessages, type MessageGroup, toImageUrl } from "../stream/message-parts.js";
import type { WireFormat, WireQuestion } from "../stream/stream-answer.js";
import { createReader } from "./read-event.js";

const DEFAULT_BASE_URL = "https://api.openai.com/v1";
const ID_FORM = /^[a-zA-Z0-9_-]{1,40}$/;
const MISTRAL_ID_FORM = /^[a-zA-Z0-9]{9}$/;

export const openaiChat: WireFormat = {
  toRequest(question) {
    const { model, options } = question;
    const { apiKey } = options;
    return {
      url: `${model.baseUrl ?? DEFAULT_BASE_URL}/chat/completions`,
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      body: toBody(question, readCompat(model)),
    };
  },
  createReader,
};

function toBody(question: WireQuestion, compat: ChatCompat) {
  const { model, context, options } = question;
  const { temperature, reasoning = "off", maxTokens, cacheKey } = options;
  const tools = toOpenAITools(context.tools ?? []);
  const isThinking = reasoning !== "off" && model.reasoning === true;
  return {
    model: model.id,
    messages: toMessages(question, compat),
    ...(tools.length > 0 && { tools }),
    stream: true,
    ...(compat.supportsUsageInStreaming && { stream_options: { include_usage: true } }),
    ...(maxTokens !== undefined && { [compat.maxTokensField]: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(isThinking && compat.supportsReasoningEffort && { reasoning_effort: reasoning }),
    ...(cacheKey !== undefined &&
      compat.supportsPromptCacheKey &&
      options.cache !== false && { prompt_cache_key: cacheKey }),
  };
}

function toMessages({ model, context }: WireQuestion, compat: ChatCompat): object[] {
  const idForm = compat.requiresMistralToolIds ? MISTRAL_ID_FORM : ID_FORM;
  const role = compat.supportsDeveloperRole && model.reasoning ? "developer" : "system";
  const { systemPrompt = "" } = context;
  const groups = groupMessages(carryOver(context.messages, { model, idForm }));
  return [
    ...(systemPrompt === "" ? [] : [{ role, content: systemPrompt }]),
    ...groups.flatMap((group) => toWire(group, compat)),
  ];
}

function toWire(group: MessageGroup, compat: ChatCompat): object[] {
  if (group.role === "toolResults") {
    const names = new Map(group.results.map((one) => [one.toolCallId, one.toolName]));
    return toOpenAIToolMessages(group.results).map((message) =>
      compat.requiresToolResultName && message.role === "tool"
        ? { ...message, name: names.get(message.tool_call_id) }
        : message,
    );
  }
  if (group.role === "user") {
    const parts = group.blocks.map((block) =>
      block.type === "text"
        ? { type: "text" as const, text: block.text }
        : { type: "image_url" as const, image_url: { url: toImageUrl(block) } },
    );
    const [only] = parts;
    // Small servers take a list of parts only for images.
    const content = parts.length === 1 && only?.type === "text" ? only.text : parts;
    return parts.length === 0 ? [] : [{ role: "user", content }];
  }
  const texts = group.blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const calls = group.blocks.flatMap((block) =>
    block.type === "toolCall"
      ? [
          {
            id: block.id,
            type: "function",
            function: { name: block.name, arguments: JSON.stringify(block.arguments) },
          },
        ]
      : [],
  );
  const text = texts.join("");
  if (text === "" && calls.length === 0) return [];
  const content = text === "" ? null : text;
  return [{ role: "assistant", content, ...(calls.length > 0 && { tool_calls: calls }) }];
}

/**
 * How a service differs from OpenAI's own chat completions, under the names of OpenClaw's `compat`. The
 * defaults follow from the address.
 */
interface ChatCompat {
  readonly supportsDeveloperRole: boolean;
  readonly supportsReasoningEffort: boolean;
  readonly supportsUsageInStreaming: boolean;
  readonly supportsPromptCacheKey: boolean;
  readonly requiresToolResultName: boolean;
  readonly requiresMistralToolIds: boolean;
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
}

function readCompat({ compat = {}, baseUrl }: ModelDescriptor): ChatCompat {
  const isOpenai = baseUrl === undefined || new URL(baseUrl).hostname === "api.openai.com";
  const flag = (name: keyof ChatCompat, usual: boolean): boolean => {
    const value = compat[name];
    return typeof value === "boolean" ? value : usual;
  };
  const usualField = isOpenai ? "max_completion_tokens" : "max_tokens";
  const written = compat.maxTokensField;
  return {
    supportsDeveloperRole: flag("supportsDeveloperRole", isOpenai),
    supportsReasoningEffort: flag("supportsReasoningEffort", isOpenai),
    supportsUsageInStreaming: flag("supportsUsageInStreaming", true),
    supportsPromptCacheKey: flag("supportsPromptCacheKey", isOpenai),
    requiresToolResultName: flag("requiresToolResultName", false),
    requiresMistralToolIds: flag("requiresMistralToolIds", false),
    maxTokensField:
      written === "max_tokens" || written === "max_completion_tokens" ? written : usualField,
  };
}
