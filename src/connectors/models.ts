// The providers that are known by name and their usual models: address, key variable, window, prices
// in US dollars for a million tokens. A model that is not listed can be used too.

import type { Api, ModelDescriptor } from "../core/connector.js";

export interface KnownProvider {
  readonly id: string;
  readonly label: string;
  readonly api: Api;
  readonly baseUrl: string;
  /** Best first; none for a provider that needs no key. */
  readonly envVars: readonly string[];
  /** Used when nothing is configured and a key is in the environment. */
  readonly defaultModel?: string;
  readonly compat?: Readonly<Record<string, unknown>>;
  readonly models: readonly ModelRow[];
}

interface ModelRow extends Pick<ModelDescriptor, "id" | "compat"> {
  readonly contextWindow: number;
  readonly maxTokens: number;
  /** Input, output, cache read, cache write. */
  readonly cost: readonly [number, number, number, number];
  /** Default true. */
  readonly vision?: boolean;
  /** Default true. */
  readonly reasoning?: boolean;
}

const MILLION = 1_048_576;
/** These models choose their own thinking budget and refuse one in the request. */
const ADAPTIVE = { thinking: "adaptive" };
/** Limits of a service that follows OpenAI's format but not all of it. */
const PLAIN_CHAT = { maxTokensField: "max_tokens", supportsReasoningEffort: false };

export const KNOWN_PROVIDERS: readonly KnownProvider[] = [
  {
    id: "anthropic",
    label: "Anthropic",
    api: "anthropic-messages",
    baseUrl: "https://api.anthropic.com",
    envVars: ["ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_API_KEY"],
    defaultModel: "claude-sonnet-4-6",
    models: [
      {
        id: "claude-opus-4-7",
        contextWindow: 1_000_000,
        maxTokens: 128_000,
        cost: [5, 25, 0.5, 6.25],
        compat: ADAPTIVE,
      },
      {
        id: "claude-opus-4-6",
        contextWindow: 1_000_000,
        maxTokens: 128_000,
        cost: [5, 25, 0.5, 6.25],
        compat: ADAPTIVE,
      },
      {
        id: "claude-sonnet-4-6",
        contextWindow: 1_000_000,
        maxTokens: 64_000,
        cost: [3, 15, 0.3, 3.75],
        compat: ADAPTIVE,
      },
      {
        id: "claude-opus-4-5",
        contextWindow: 200_000,
        maxTokens: 64_000,
        cost: [5, 25, 0.5, 6.25],
      },
      {
        id: "claude-sonnet-4-5",
        contextWindow: 200_000,
        maxTokens: 64_000,
        cost: [3, 15, 0.3, 3.75],
      },
      {
        id: "claude-haiku-4-5",
        contextWindow: 200_000,
        maxTokens: 64_000,
        cost: [1, 5, 0.1, 1.25],
      },
    ],
  },
  {
    id: "openai",
    label: "OpenAI",
    api: "openai-responses",
    baseUrl: "https://api.openai.com/v1",
    envVars: ["OPENAI_API_KEY"],
    defaultModel: "gpt-5.4",
    models: [
      { id: "gpt-5.5", contextWindow: 272_000, maxTokens: 128_000, cost: [5, 30, 0.5, 0] },
      { id: "gpt-5.4", contextWindow: 272_000, maxTokens: 128_000, cost: [2.5, 15, 0.25, 0] },
      {
        id: "gpt-5.4-mini",
        contextWindow: 400_000,
        maxTokens: 128_000,
        cost: [0.75, 4.5, 0.075, 0],
      },
      { id: "gpt-5.2", contextWindow: 400_000, maxTokens: 128_000, cost: [1.75, 14, 0.175, 0] },
      { id: "gpt-5", contextWindow: 400_000, maxTokens: 128_000, cost: [1.25, 10, 0.125, 0] },
      { id: "gpt-5-mini", contextWindow: 400_000, maxTokens: 128_000, cost: [0.25, 2, 0.025, 0] },
      {
        id: "gpt-4.1",
        contextWindow: 1_047_576,
        maxTokens: 32_768,
        cost: [2, 8, 0.5, 0],
        reasoning: false,
      },
      {
        id: "gpt-4o",
        contextWindow: 128_000,
        maxTokens: 16_384,
        cost: [2.5, 10, 1.25, 0],
        reasoning: false,
      },
      {
        id: "gpt-4o-mini",
        contextWindow: 128_000,
        maxTokens: 16_384,
        cost: [0.15, 0.6, 0.08, 0],
        reasoning: false,
      },
    ],
  },
  {
    id: "google",
    label: "Google Gemini",
    api: "google-generative-ai",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    envVars: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    defaultModel: "gemini-2.5-pro",
    models: [
      {
        id: "gemini-3.1-pro-preview",
        contextWindow: MILLION,
        maxTokens: 65_536,
        cost: [2, 12, 0.2, 0],
      },
      {
        id: "gemini-3.5-flash",
        contextWindow: MILLION,
        maxTokens: 65_536,
        cost: [1.5, 9, 0.15, 0],
      },
      {
        id: "gemini-2.5-pro",
        contextWindow: MILLION,
        maxTokens: 65_536,
        cost: [1.25, 10, 0.125, 0],
      },
      {
        id: "gemini-2.5-flash",
        contextWindow: MILLION,
        maxTokens: 65_536,
        cost: [0.3, 2.5, 0.03, 0],
      },
    ],
  },
  chatService("openrouter", "OpenRouter", "https://openrouter.ai/api/v1"),
  chatService("groq", "Groq", "https://api.groq.com/openai/v1"),
  {
    ...chatService("mistral", "Mistral", "https://api.mistral.ai/v1"),
    compat: { ...PLAIN_CHAT, requiresMistralToolIds: true, supportsUsageInStreaming: false },
  },
  chatService("xai", "xAI", "https://api.x.ai/v1"),
  chatService("deepseek", "DeepSeek", "https://api.deepseek.com"),
  chatService("together", "Together AI", "https://api.together.ai/v1"),
  chatService("cerebras", "Cerebras", "https://api.cerebras.ai/v1"),
  localServer("ollama", "Ollama", "http://127.0.0.1:11434/v1"),
  localServer("llamacpp", "llama.cpp", "http://127.0.0.1:8080/v1"),
  localServer("vllm", "vLLM", "http://127.0.0.1:8000/v1"),
  localServer("lmstudio", "LM Studio", "http://127.0.0.1:1234/v1"),
];

export function toDescriptor(provider: KnownProvider, row: ModelRow): ModelDescriptor {
  const [input, output, cacheRead, cacheWrite] = row.cost;
  const compat = { ...provider.compat, ...row.compat };
  return {
    id: row.id,
    api: provider.api,
    provider: provider.id,
    baseUrl: provider.baseUrl,
    reasoning: row.reasoning ?? true,
    input: row.vision === false ? ["text"] : ["text", "image"],
    cost: { input, output, cacheRead, cacheWrite },
    contextWindow: row.contextWindow,
    maxTokens: row.maxTokens,
    ...(Object.keys(compat).length > 0 && { compat }),
  };
}

function chatService(id: string, label: string, baseUrl: string): KnownProvider {
  return {
    ...{ id, label, baseUrl, models: [] },
    api: "openai-completions",
    envVars: [`${id.toUpperCase()}_API_KEY`],
    compat: PLAIN_CHAT,
  };
}

function localServer(id: string, label: string, baseUrl: string): KnownProvider {
  return { ...chatService(id, label, baseUrl), envVars: [] };
}
