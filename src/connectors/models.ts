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
  readonly models: readonly ModelDescriptor[];
}

type ModelRow = readonly [
  id: string,
  contextWindow: number,
  maxTokens: number,
  prices: readonly [input: number, output: number, cacheRead: number, cacheWrite: number],
  differs?: Pick<ModelDescriptor, "compat" | "reasoning">,
];

const MILLION = 1_048_576;
/** These models choose their own thinking budget and refuse one in the request. */
const ADAPTIVE = { compat: { thinking: "adaptive" } };
const PLAIN = { reasoning: false };
/** Limits of a service that follows OpenAI's format but not all of it. */
const PLAIN_CHAT = { maxTokensField: "max_tokens", supportsReasoningEffort: false };

const ANTHROPIC_MODELS: readonly ModelRow[] = [
  ["claude-opus-4-7", 1_000_000, 128_000, [5, 25, 0.5, 6.25], ADAPTIVE],
  ["claude-opus-4-6", 1_000_000, 128_000, [5, 25, 0.5, 6.25], ADAPTIVE],
  ["claude-sonnet-4-6", 1_000_000, 64_000, [3, 15, 0.3, 3.75], ADAPTIVE],
  ["claude-opus-4-5", 200_000, 64_000, [5, 25, 0.5, 6.25]],
  ["claude-sonnet-4-5", 200_000, 64_000, [3, 15, 0.3, 3.75]],
  ["claude-haiku-4-5", 200_000, 64_000, [1, 5, 0.1, 1.25]],
];

const OPENAI_MODELS: readonly ModelRow[] = [
  ["gpt-5.5", 272_000, 128_000, [5, 30, 0.5, 0]],
  ["gpt-5.4", 272_000, 128_000, [2.5, 15, 0.25, 0]],
  ["gpt-5.4-mini", 400_000, 128_000, [0.75, 4.5, 0.075, 0]],
  ["gpt-5.2", 400_000, 128_000, [1.75, 14, 0.175, 0]],
  ["gpt-5", 400_000, 128_000, [1.25, 10, 0.125, 0]],
  ["gpt-5-mini", 400_000, 128_000, [0.25, 2, 0.025, 0]],
  ["gpt-4.1", 1_047_576, 32_768, [2, 8, 0.5, 0], PLAIN],
  ["gpt-4o", 128_000, 16_384, [2.5, 10, 1.25, 0], PLAIN],
  ["gpt-4o-mini", 128_000, 16_384, [0.15, 0.6, 0.08, 0], PLAIN],
];

const GOOGLE_MODELS: readonly ModelRow[] = [
  ["gemini-3.1-pro-preview", MILLION, 65_536, [2, 12, 0.2, 0]],
  ["gemini-3.5-flash", MILLION, 65_536, [1.5, 9, 0.15, 0]],
  ["gemini-2.5-pro", MILLION, 65_536, [1.25, 10, 0.125, 0]],
  ["gemini-2.5-flash", MILLION, 65_536, [0.3, 2.5, 0.03, 0]],
];

export const KNOWN_PROVIDERS: readonly KnownProvider[] = [
  withModels(ANTHROPIC_MODELS, {
    id: "anthropic",
    label: "Anthropic",
    api: "anthropic-messages",
    baseUrl: "https://api.anthropic.com",
    envVars: ["ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_API_KEY"],
    defaultModel: "claude-sonnet-4-6",
  }),
  withModels(OPENAI_MODELS, {
    id: "openai",
    label: "OpenAI",
    api: "openai-responses",
    baseUrl: "https://api.openai.com/v1",
    envVars: ["OPENAI_API_KEY"],
    defaultModel: "gpt-5.4",
  }),
  withModels(GOOGLE_MODELS, {
    id: "google",
    label: "Google Gemini",
    api: "google-generative-ai",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    envVars: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    defaultModel: "gemini-2.5-pro",
  }),
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

/** All of them see images and think, unless their row says otherwise. */
function withModels(
  rows: readonly ModelRow[],
  provider: Omit<KnownProvider, "models">,
): KnownProvider {
  const { api, baseUrl } = provider;
  const models = rows.map(([id, contextWindow, maxTokens, prices, differs]): ModelDescriptor => {
    const [input, output, cacheRead, cacheWrite] = prices;
    return {
      ...{ id, api, provider: provider.id, baseUrl, contextWindow, maxTokens },
      input: ["text", "image"],
      cost: { input, output, cacheRead, cacheWrite },
      reasoning: true,
      ...differs,
    };
  });
  return { ...provider, models };
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
