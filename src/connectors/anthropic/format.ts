// Anthropic's Messages API: the request. Reading the answer is in read-event.ts.

import type { ContextMessage, StreamOptions } from "../../core/connector.js";
import { toAnthropicToolResults, toAnthropicTools, toClaudeCodeName } from "../../core/wire.js";
import { carryOver } from "../carry-over.js";
import { groupMessages, type MessageGroup, readImage } from "../stream/message-parts.js";
import type { WireFormat, WireQuestion } from "../stream/stream-answer.js";
import { createReader } from "./read-event.js";

const DEFAULT_BASE_URL = "https://api.anthropic.com";
const VERSION = "2023-06-01";
const DEFAULT_MAX_TOKENS = 8_192;
const ID_FORM = /^[a-zA-Z0-9_-]{1,64}$/;
/** Keys of a Claude subscription: another header, and tools must be named as in Claude Code. */
const OAUTH_KEY = /^sk-ant-oat/;
const OAUTH_BETAS = "claude-code-20250219,oauth-2025-04-20";
const OAUTH_SYSTEM = "You are Claude Code, Anthropic's official CLI for Claude.";
const THINKING_TOKENS = { minimal: 1_024, low: 2_048, medium: 8_192, high: 16_384 } as const;
const EFFORTS = { minimal: "low", low: "low", medium: "medium", high: "high" } as const;
const MARK = { cache_control: { type: "ephemeral" } } as const;
/** Two, because the API looks back only 20 blocks for an earlier mark. */
const MARKED_MESSAGES = 2;

interface Turn {
  readonly role: "user" | "assistant";
  readonly content: object[];
}

export const anthropic: WireFormat = {
  toRequest(question) {
    const { model, options } = question;
    const base = (model.baseUrl ?? DEFAULT_BASE_URL).replace(/\/(?:v1\/?)?$/, "");
    return {
      url: `${base}/v1/messages`,
      headers: { "anthropic-version": VERSION, ...toAuthHeaders(options.apiKey) },
      body: toBody(question),
    };
  },
  createReader: (answer, question) =>
    createReader(answer, { ...question, isOauth: isOauth(question.options) }),
};

function toBody(question: WireQuestion) {
  const { model, options } = question;
  const isCached = options.cache !== false;
  const messages = toTurns(question);
  if (isCached) for (const turn of messages.slice(-MARKED_MESSAGES)) markLast(turn.content);
  const maxTokens = options.maxTokens ?? model.maxTokens ?? DEFAULT_MAX_TOKENS;
  const thinking = toThinking(question, maxTokens);
  const system = toSystem(question);
  const tools = toTools(question);
  if (isCached) {
    markLast(system);
    markLast(tools);
  }
  return {
    model: model.id,
    max_tokens: maxTokens,
    ...(tools.length > 0 && { tools }),
    ...(system.length > 0 && { system }),
    messages,
    ...thinking,
    // The API refuses a temperature while the model thinks.
    ...(options.temperature !== undefined && !thinking && { temperature: options.temperature }),
    stream: true,
  };
}

function toAuthHeaders(apiKey: string | undefined): Record<string, string> {
  if (apiKey === undefined) return {};
  if (!OAUTH_KEY.test(apiKey)) return { "x-api-key": apiKey };
  return { authorization: `Bearer ${apiKey}`, "anthropic-beta": OAUTH_BETAS };
}

function isOauth({ apiKey = "" }: StreamOptions): boolean {
  return OAUTH_KEY.test(apiKey);
}

function toSystem({ context, options }: WireQuestion): object[] {
  const texts = [...(isOauth(options) ? [OAUTH_SYSTEM] : []), context.systemPrompt ?? ""];
  return texts.filter((text) => text !== "").map((text) => ({ type: "text", text }));
}

function toTools({ context, options }: WireQuestion): object[] {
  const tools = toAnthropicTools(context.tools ?? []);
  if (!isOauth(options)) return tools;
  return tools.map((tool) => ({ ...tool, name: toClaudeCodeName(tool.name) }));
}

function toThinking({ model, options }: WireQuestion, maxTokens: number) {
  const { reasoning = "off" } = options;
  if (reasoning === "off" || model.reasoning !== true) return undefined;
  if (model.compat?.thinking === "adaptive") {
    return { thinking: { type: "adaptive" }, output_config: { effort: EFFORTS[reasoning] } };
  }
  const budget = Math.min(THINKING_TOKENS[reasoning], maxTokens - 1);
  if (budget < THINKING_TOKENS.minimal) return undefined;
  return { thinking: { type: "enabled", budget_tokens: budget } };
}

/** Turns of one role are joined: the API wants them to alternate. */
function toTurns({ model, context, options }: WireQuestion): Turn[] {
  const messages: ContextMessage[] = carryOver(context.messages, { model, idForm: ID_FORM });
  const turns: Turn[] = [];
  for (const group of groupMessages(messages)) {
    const role = group.role === "assistant" ? "assistant" : "user";
    const content = toContent(group, isOauth(options));
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) turns.push({ role, content });
  }
  return turns;
}

function toContent(group: MessageGroup, isOauthKey: boolean): object[] {
  if (group.role === "toolResults") return toAnthropicToolResults(group.results).content;
  if (group.role === "user") {
    return group.blocks.flatMap((block): object[] => {
      if (block.type === "text") return toText(block.text);
      const image = readImage(block);
      const source = image
        ? { type: "base64", media_type: image.mimeType, data: image.data }
        : { type: "url", url: block.type === "image_url" ? block.image_url.url : "" };
      return [{ type: "image", source }];
    });
  }
  return group.blocks.flatMap((block): object[] => {
    if (block.type === "text") return toText(block.text);
    if (block.type === "toolCall") {
      const name = isOauthKey ? toClaudeCodeName(block.name) : block.name;
      return [{ type: "tool_use", id: block.id, name, input: block.arguments }];
    }
    if (block.redacted) return [{ type: "redacted_thinking", data: block.thinking }];
    // Thinking without its signature is refused.
    if (block.signature === undefined) return [];
    return [{ type: "thinking", thinking: block.thinking, signature: block.signature }];
  });
}

/** Empty texts are refused. */
function toText(text: string): object[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

function markLast(blocks: object[]): void {
  const last = blocks.at(-1);
  if (last !== undefined) blocks[blocks.length - 1] = { ...last, ...MARK };
}
