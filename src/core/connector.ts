// The documented types of a connector: the stream interface, its models, messages and events.

import type { ImageContent, TextContent } from "./tool.js";

export type KnownApi =
  | "openai-completions"
  | "openai-responses"
  | "azure-openai-responses"
  | "openai-codex-responses"
  | "anthropic-messages"
  | "bedrock-converse-stream"
  | "google-generative-ai"
  | "google-gemini-cli"
  | "google-vertex";

/** Any text is allowed; the known names are there for completion in editors. */
export type Api = KnownApi | (string & {});

/** Prices for a million tokens. */
export interface ModelCost {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

export interface ModelDescriptor {
  id: string;
  name?: string;
  api: Api;
  provider: string;
  baseUrl?: string;
  /** The model can think before it answers. */
  reasoning?: boolean;
  input?: ("text" | "image")[];
  cost?: ModelCost;
  /** Tokens. */
  contextWindow?: number;
  /** Most tokens in one answer. */
  maxTokens?: number;
  headers?: Record<string, string>;
  compat?: Record<string, unknown>;
}

export interface ProviderConfig {
  baseUrl?: string;
  api?: Api;
  models?: ModelDescriptor[];
}

/** Which fields are there depends on `mode`; the others read as undefined. */
export type ResolvedAuth =
  | {
      mode: "api-key" | "oauth" | "token";
      apiKey: string;
      /** `explicit`, or `env:NAME` with the name of the variable. */
      source: string;
      profileId?: undefined;
    }
  | { mode: "aws-sdk"; profileId?: string; apiKey?: undefined; source?: undefined }
  | { mode: "none"; apiKey?: undefined; source?: undefined; profileId?: undefined }
  | { mode: "mixed" | "unknown"; apiKey?: string; source?: string; profileId?: string };

export type AuthMode = ResolvedAuth["mode"];

/** The part of JSON Schema that tool parameters use; other keywords pass as unknown. */
export interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  required?: string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  [keyword: string]: unknown;
}

/** A count that is absent is not known, which is not zero. */
export interface UsageInfo {
  /** Cached tokens included. */
  inputTokens?: number;
  outputTokens?: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  reasoningTokens?: number;
}

interface ModelToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  argumentsText?: string;
  signature?: string;
}

/** Why a stream failed. The agent loop decides from it whether to retry; connectors never retry. */
export type ModelFault =
  | "rate_limited"
  | "overloaded"
  | "provider_failed"
  | "connection_failed"
  | "stream_cut"
  | "stream_stalled"
  | "auth_failed"
  | "quota_exhausted"
  | "model_unknown"
  | "request_refused"
  | "content_refused"
  | "context_overflow"
  | "call_malformed"
  | "aborted";

type StopReason = "stop" | "toolUse" | "length" | "error";

/** `start` comes first. */
export type StreamEvent =
  | { type: "start" }
  | { type: "text_delta"; delta: string }
  | { type: "text_end"; content: string; signature?: string }
  | { type: "thinking_delta"; delta: string }
  /** `redacted`: `content` is opaque data of the provider. */
  | { type: "thinking_end"; content: string; signature?: string; redacted?: true }
  /** `id` is there when the provider tells it this early. */
  | { type: "toolcall_start"; id?: string }
  | { type: "toolcall_delta"; delta: string; id?: string }
  | { type: "toolcall_end"; toolCall: ModelToolCall }
  | { type: "done"; stopReason: StopReason; usage?: UsageInfo }
  | {
      type: "error";
      error: string;
      reason?: ModelFault;
      status?: number;
      /** How long the provider asks to wait. */
      retryAfterMs?: number;
    };

/** `undefined` is allowed in each field, so that an unset variable can be passed on. */
export interface StreamOptions {
  temperature?: number | undefined;
  maxTokens?: number | undefined;
  signal?: AbortSignal | undefined;
  apiKey?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** Prompt caching; default on where the provider has it. */
  cache?: boolean | undefined;
  /** Stable per session, for providers that route by it. */
  cacheKey?: string | undefined;
  reasoning?: "off" | "minimal" | "low" | "medium" | "high" | undefined;
}

/** An image by address; `ImageContent` carries the bytes instead. */
interface ImageUrlContent {
  type: "image_url";
  image_url: { url: string };
}

interface ThinkingContent {
  type: "thinking";
  thinking: string;
  signature?: string;
  redacted?: true;
}

type ToolCallContent = { type: "toolCall" } & ModelToolCall;

type AnswerText = TextContent & { signature?: string };

export interface UserMessage {
  role: "user";
  content: string | Array<TextContent | ImageContent | ImageUrlContent>;
}

export interface AssistantMessage {
  role: "assistant";
  /** Who wrote it: signatures go back only to the same api and model. */
  origin?: { provider: string; api: Api; model: string };
  /** `null` for a turn that said nothing. */
  content: string | null | Array<AnswerText | ThinkingContent | ToolCallContent>;
}

export interface ToolResultMessage {
  role: "toolResult";
  /** The `id` of the tool call that this answers. */
  toolCallId: string;
  toolName: string;
  content: Array<TextContent | ImageContent>;
  isError: boolean;
  /** For programs; not sent to the model. */
  details?: unknown;
}

export type ConversationMessage = UserMessage | AssistantMessage;

export type ContextMessage = ConversationMessage | ToolResultMessage;

export interface StreamContext {
  systemPrompt?: string;
  messages: ContextMessage[];
  tools?: Array<{
    name: string;
    description: string;
    input_schema: JsonSchema | Record<string, unknown>;
  }>;
}

export interface Connector {
  id: string;
  label: string;
  provider: string;
  api: Api;
  /** May be empty when `listModels` fetches them. */
  models: ModelDescriptor[];
  /** Names of the variables that may hold the key, best first. */
  envVars?: string[];
  listModels?: () => Promise<ModelDescriptor[]>;
  stream: (
    model: ModelDescriptor,
    context: StreamContext,
    options: StreamOptions,
  ) => AsyncIterable<StreamEvent>;
}
