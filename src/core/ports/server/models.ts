// The port to language models, for tools that need an answer and not a conversation. Which models are
// configured, their keys and fallbacks are decided behind it.

import type { ContextMessage, ModelDescriptor, UsageInfo } from "../../connector.js";

export interface CompletionRequest {
  readonly systemPrompt?: string | undefined;
  readonly messages: readonly ContextMessage[];
  /** `provider/model`; default: the caller's own model, then `agents.defaults.model`. */
  readonly model?: string | undefined;
  /** `image`: the request carries images, so only models that see are tried. */
  readonly purpose?: "text" | "image" | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly reasoning?: "off" | "minimal" | "low" | "medium" | "high" | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
}

export interface Completion {
  readonly text: string;
  /** `provider/model` that answered. */
  readonly model: string;
  readonly usage?: UsageInfo | undefined;
  /** Models tried before, each with its error. */
  readonly failed: readonly { readonly model: string; readonly error: string }[];
}

/** Rejects with a ToolError: `unavailable` (`no_model`, `no_key`), `failed` (`model_failed`), `timeout`. */
export interface Models {
  /** Configured models in the order they would be tried for this purpose. */
  list(purpose?: "text" | "image"): readonly ModelDescriptor[];
  complete(request: CompletionRequest): Promise<Completion>;
}
