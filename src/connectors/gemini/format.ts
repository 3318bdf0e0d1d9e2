// Google's Gemini API: the request. Reading the answer is in read-event.ts.

import type { AssistantMessage, ContextMessage } from "../../core/connector.js";
import { toGeminiFunctionResponses, toGeminiTools } from "../../core/wire.js";
import { carryOver } from "../carry-over.js";
import { groupMessages, type MessageGroup, readImage } from "../stream/message-parts.js";
import type { WireFormat, WireQuestion } from "../stream/stream-answer.js";
import { createReader } from "./read-event.js";

const DEFAULT_BASE_URL = "https://generativelanguage.googleapis.com/v1beta";
/** Ids are optional here and not always given, so calls and results are matched by their order. */
const NO_ID = /^call_\d+$/;
/** Is in for the signature of a call that another model made. */
const SKIP_SIGNATURE = "skip_thought_signature_validator";
const WITHOUT_SIGNATURES = /gemini-[12]/;
const THINKING_TOKENS = { off: 0, minimal: 512, low: 2_048, medium: 8_192, high: 24_576 } as const;
const WITH_LEVELS = /gemini-[3-9]/;

type AnswerBlock = Extract<AssistantMessage["content"], readonly unknown[]>[number];

export const gemini: WireFormat = {
  toRequest(question) {
    const { model, options } = question;
    const base = model.baseUrl ?? DEFAULT_BASE_URL;
    const { apiKey } = options;
    return {
      url: `${base}/models/${encodeURIComponent(model.id)}:streamGenerateContent?alt=sse`,
      headers: apiKey === undefined ? {} : { "x-goog-api-key": apiKey },
      body: toBody(question),
    };
  },
  createReader,
};

function toBody(question: WireQuestion) {
  const { model, context, options } = question;
  const { temperature, maxTokens } = options;
  const messages = withoutIds(carryOver(context.messages, { model, idForm: /^/ }));
  const tools = toGeminiTools(context.tools ?? []);
  const thinkingConfig = toThinking(question);
  return {
    ...(context.systemPrompt && {
      systemInstruction: { parts: [{ text: context.systemPrompt }] },
    }),
    contents: groupMessages(messages).flatMap((group) => toContents(group, model.id)),
    ...(tools.length > 0 && { tools }),
    generationConfig: {
      ...(temperature !== undefined && { temperature }),
      ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
      ...(thinkingConfig && { thinkingConfig }),
    },
  };
}

function toThinking({ model, options }: WireQuestion): object | undefined {
  const { reasoning } = options;
  if (model.reasoning !== true || reasoning === undefined) return undefined;
  if (!WITH_LEVELS.test(model.id)) {
    return { thinkingBudget: THINKING_TOKENS[reasoning], includeThoughts: reasoning !== "off" };
  }
  const isLow = reasoning === "off" || reasoning === "minimal" || reasoning === "low";
  return { thinkingLevel: isLow ? "LOW" : "HIGH", includeThoughts: reasoning !== "off" };
}

/** Ids of this form are not sent. */
function withoutIds(messages: readonly ContextMessage[]): ContextMessage[] {
  return messages.map((message) =>
    message.role === "toolResult" && !NO_ID.test(message.toolCallId)
      ? { ...message, toolCallId: "call_0" }
      : message,
  );
}

function toContents(group: MessageGroup, model: string): object[] {
  if (group.role === "toolResults") return [toGeminiFunctionResponses(group.results, { model })];
  if (group.role === "assistant") {
    const parts = toParts(group.blocks, model);
    return parts.length === 0 ? [] : [{ role: "model", parts }];
  }
  const parts = group.blocks.map((block) => {
    if (block.type === "text") return { text: block.text };
    const image = readImage(block);
    if (image) return { inlineData: { mimeType: image.mimeType, data: image.data } };
    return { fileData: { fileUri: block.type === "image_url" ? block.image_url.url : "" } };
  });
  return parts.length === 0 ? [] : [{ role: "user", parts }];
}

/** Each signature goes back in the part that it came with. */
function toParts(blocks: readonly AnswerBlock[], model: string): object[] {
  const firstCall = blocks.find(({ type }) => type === "toolCall");
  return blocks.flatMap((block): object[] => {
    const { signature } = block;
    const signed = signature === undefined ? {} : { thoughtSignature: signature };
    if (block.type === "thinking") return [];
    if (block.type === "text") {
      return block.text === "" && signature === undefined ? [] : [{ text: block.text, ...signed }];
    }
    const functionCall = { name: block.name, args: block.arguments };
    const isUnsigned = block === firstCall && signature === undefined;
    if (isUnsigned && !WITHOUT_SIGNATURES.test(model)) {
      return [{ functionCall, thoughtSignature: SKIP_SIGNATURE }];
    }
    return [{ functionCall, ...signed }];
  });
}
