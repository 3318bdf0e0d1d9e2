// OpenAI's Responses API: the request. Nothing is stored at OpenAI, so reasoning goes back and forth
// encrypted. Reading the answer is in read-event.ts.

import { toOpenAIResponsesOutputs, toOpenAIResponsesTools } from "../../core/wire.js";
import { parseJson } from "../../lib/json/parse-json.js";
import { readText } from "../../lib/read-field.js";
import { carryOver } from "../carry-over.js";
import { groupMessages, type MessageGroup, toImageUrl } from "../stream/message-parts.js";
import type { WireFormat, WireQuestion } from "../stream/stream-answer.js";
import { createReader } from "./read-event.js";

const DEFAULT_BASE_URL = "https://api.openai.com/v1";
const ID_FORM = /^[a-zA-Z0-9_-]{1,64}$/;

export const openaiResponses: WireFormat = {
  toRequest(question) {
    const { model, options } = question;
    const { apiKey } = options;
    return {
      url: `${model.baseUrl ?? DEFAULT_BASE_URL}/responses`,
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      body: toBody(question),
    };
  },
  createReader,
};

function toBody({ model, context, options }: WireQuestion) {
  const { temperature, maxTokens, reasoning = "off", cacheKey } = options;
  const messages = carryOver(context.messages, { model, idForm: ID_FORM });
  const tools = toOpenAIResponsesTools(context.tools ?? []);
  const canThink = model.reasoning === true;
  return {
    model: model.id,
    ...(context.systemPrompt && { instructions: context.systemPrompt }),
    input: groupMessages(messages).flatMap(toItems),
    ...(tools.length > 0 && { tools }),
    stream: true,
    store: false,
    ...(canThink && { include: ["reasoning.encrypted_content"] }),
    ...(canThink && reasoning !== "off" && { reasoning: { effort: reasoning, summary: "auto" } }),
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
    // Models that think refuse a temperature.
    ...(temperature !== undefined && !canThink && { temperature }),
    ...(cacheKey !== undefined && options.cache !== false && { prompt_cache_key: cacheKey }),
  };
}

function toItems(group: MessageGroup): object[] {
  if (group.role === "toolResults") return toOpenAIResponsesOutputs(group.results);
  if (group.role === "user") {
    const content = group.blocks.map((block) =>
      block.type === "text"
        ? { type: "input_text", text: block.text }
        : { type: "input_image", image_url: toImageUrl(block) },
    );
    return content.length === 0 ? [] : [{ role: "user", content }];
  }
  return group.blocks.flatMap((block): object[] => {
    if (block.type === "text") {
      if (block.text === "") return [];
      return [
        {
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: block.text }],
        },
      ];
    }
    if (block.type === "thinking") return toReasoning(block.thinking, block.signature);
    const { id, name } = block;
    return [
      { type: "function_call", call_id: id, name, arguments: JSON.stringify(block.arguments) },
    ];
  });
}

/** The signature is what read-event.ts made of the item; reasoning without it cannot go back. */
function toReasoning(thinking: string, signature: string | undefined): object[] {
  const item = parseJson(signature ?? "");
  const id = readText(item, "id");
  const encrypted = readText(item, "encrypted_content");
  if (id === undefined || encrypted === undefined) return [];
  const summary = thinking === "" ? [] : [{ type: "summary_text", text: thinking }];
  return [{ type: "reasoning", id, summary, encrypted_content: encrypted }];
}
