// A conversation as the prompt of an AI SDK language model.

import type { ModelDescriptor, StreamContext } from "../../core/connector.js";
import { parseJson } from "../../lib/json/parse-json.js";
import { carryOver } from "../carry-over.js";
import {
  groupMessages,
  type MessageGroup,
  readImage,
  toImageUrl,
} from "../stream/message-parts.js";

const ANY_ID = /^/;

export function toPrompt(
  { systemPrompt, messages }: StreamContext,
  model: ModelDescriptor,
): object[] {
  const groups = groupMessages(carryOver(messages, { model, idForm: ANY_ID }));
  return [
    ...(systemPrompt ? [{ role: "system", content: systemPrompt }] : []),
    ...groups.map(toMessage).filter(({ content }) => content.length > 0),
  ];
}

function toMessage(group: MessageGroup): { role: string; content: object[] } {
  if (group.role === "toolResults") {
    const content = group.results.map(({ toolCallId, toolName, content: blocks, isError }) => {
      const text = blocks.map((block) => (block.type === "text" ? block.text : "")).join("\n");
      const images = blocks.flatMap((block) =>
        block.type === "image"
          ? [{ type: "media", data: block.data, mediaType: block.mimeType }]
          : [],
      );
      const output =
        images.length === 0 || isError
          ? { type: isError ? "error-text" : "text", value: text }
          : { type: "content", value: [{ type: "text", text }, ...images] };
      return { type: "tool-result", toolCallId, toolName, output };
    });
    return { role: "tool", content };
  }
  if (group.role === "user") {
    const content = group.blocks.map((block) => {
      if (block.type === "text") return { type: "text", text: block.text };
      const image = readImage(block);
      return image
        ? { type: "file", mediaType: image.mimeType, data: image.data }
        : { type: "file", mediaType: "image/*", data: new URL(toImageUrl(block)) };
    });
    return { role: "user", content };
  }
  const content = group.blocks.flatMap((block): object[] => {
    if (block.type === "text") return block.text === "" ? [] : [{ type: "text", text: block.text }];
    if (block.type === "thinking") {
      const providerOptions = parseJson(block.signature ?? "");
      return [
        {
          type: "reasoning",
          text: block.thinking,
          ...(providerOptions ? { providerOptions } : {}),
        },
      ];
    }
    const { id, name } = block;
    return [{ type: "tool-call", toolCallId: id, toolName: name, input: block.arguments }];
  });
  return { role: "assistant", content };
}
