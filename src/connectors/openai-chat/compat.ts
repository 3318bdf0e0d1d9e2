// How a service differs from OpenAI's own chat completions. The names are those of OpenClaw's
// `compat`; what is not written follows from the address.

import type { ModelDescriptor } from "../../core/connector.js";

export interface ChatCompat {
  readonly supportsDeveloperRole: boolean;
  readonly supportsReasoningEffort: boolean;
  readonly supportsUsageInStreaming: boolean;
  readonly supportsPromptCacheKey: boolean;
  readonly requiresToolResultName: boolean;
  readonly requiresMistralToolIds: boolean;
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
}

export function readCompat({ compat = {}, baseUrl }: ModelDescriptor): ChatCompat {
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
