// Small pieces that every wire format needs to read messages: texts, data URLs, groups of results.

import type {
  AssistantMessage,
  ContextMessage,
  ToolResultMessage,
  UserMessage,
} from "../../core/connector.js";

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);base64,(.*)$/s;

type UserBlock = Exclude<UserMessage["content"], string>[number];
type AnswerBlock = Exclude<AssistantMessage["content"], string | null>[number];

/** One turn of the wire: results of tools are sent together. */
export type MessageGroup =
  | { readonly role: "user"; readonly blocks: readonly UserBlock[] }
  | { readonly role: "assistant"; readonly blocks: readonly AnswerBlock[] }
  | { readonly role: "toolResults"; readonly results: readonly ToolResultMessage[] };

export function groupMessages(messages: readonly ContextMessage[]): MessageGroup[] {
  const groups: MessageGroup[] = [];
  let results: ToolResultMessage[] = [];
  for (const message of messages) {
    if (message.role === "toolResult") {
      if (results.length === 0) groups.push({ role: "toolResults", results });
      results.push(message);
      continue;
    }
    results = [];
    if (message.role === "user") groups.push({ role: "user", blocks: listBlocks(message.content) });
    else groups.push({ role: "assistant", blocks: listBlocks(message.content ?? "") });
  }
  return groups;
}

/** Images as bytes where they are a data URL; undefined for an address. */
export function readImage(
  block: Exclude<UserBlock, { type: "text" }>,
): { readonly mimeType: string; readonly data: string } | undefined {
  if (block.type === "image") return block;
  const [, mimeType, data] = DATA_URL.exec(block.image_url.url) ?? [];
  return mimeType === undefined || data === undefined ? undefined : { mimeType, data };
}

/** As an address, which may be a data URL. */
export function toImageUrl(block: Exclude<UserBlock, { type: "text" }>): string {
  return block.type === "image_url"
    ? block.image_url.url
    : `data:${block.mimeType};base64,${block.data}`;
}

function listBlocks<Block>(content: string | readonly Block[]) {
  if (typeof content !== "string") return content;
  return content === "" ? [] : [{ type: "text" as const, text: content }];
}
