// A conversation as the next model can take it: signatures only to the model family that made them,
// call ids in the form its API accepts, and words in place of images it cannot see.

import { createHash } from "node:crypto";
import type { AssistantMessage, ContextMessage, ModelDescriptor } from "../core/connector.js";

const ID_CHARS = 9;
const NO_IMAGE = {
  type: "text",
  text: "[image left out: this model does not accept images]",
} as const;

export interface CarryOverOptions {
  readonly model: ModelDescriptor;
  /** Ids that do not match are replaced, the same id always by the same one. */
  readonly idForm: RegExp;
}

type Block<Message extends { content: unknown }> = Extract<
  Message["content"],
  readonly unknown[]
>[number];

export function carryOver(
  messages: readonly ContextMessage[],
  options: CarryOverOptions,
): ContextMessage[] {
  const { model, idForm } = options;
  const toId = (id: string) => (idForm.test(id) ? id : makeId(id));
  return leaveOutImages(messages, model).map((message) => {
    if (message.role === "assistant") return carryAnswer(message, { model, toId });
    if (message.role === "user") return message;
    return { ...message, toolCallId: toId(message.toolCallId) };
  });
}

/** A model that is not declared with its kinds of input may see. */
export function seesImages({ input }: ModelDescriptor): boolean {
  return input === undefined || input.includes("image");
}

/** Words in place of images, for a model that is declared without them. */
export function leaveOutImages(
  messages: readonly ContextMessage[],
  model: ModelDescriptor,
): ContextMessage[] {
  if (seesImages(model)) return [...messages];
  return messages.map((message) => {
    if (message.role === "assistant" || typeof message.content === "string") return message;
    const content = message.content.map((one) => (one.type === "text" ? one : NO_IMAGE));
    return { ...message, content };
  });
}

function carryAnswer(
  message: AssistantMessage,
  { model, toId }: { readonly model: ModelDescriptor; readonly toId: (id: string) => string },
): AssistantMessage {
  if (!Array.isArray(message.content)) return message;
  const isOwn = isSameFamily(message.origin, model);
  const content = message.content.flatMap((block): Block<AssistantMessage>[] => {
    if (block.type === "thinking") return isOwn ? [block] : [];
    const { signature: _signature, ...unsigned } = block;
    const kept = isOwn ? block : unsigned;
    return [kept.type === "toolCall" ? { ...kept, id: toId(kept.id) } : kept];
  });
  return { ...message, content };
}

/** Without an origin the caller has only one model. */
function isSameFamily(origin: AssistantMessage["origin"], model: ModelDescriptor): boolean {
  if (origin === undefined) return true;
  const isSameApi = origin.api === model.api && origin.provider === model.provider;
  return isSameApi && toFamily(origin.model) === toFamily(model.id);
}

/** `claude-opus-4-7` → `claude`. */
function toFamily(id: string): string {
  return /[a-z]+/i.exec(id)?.[0].toLowerCase() ?? id;
}

/** Letters and digits only, by content, so that a longer conversation still begins with the same bytes. */
function makeId(id: string): string {
  const hash = createHash("sha256").update(id).digest("base64url");
  return hash.replace(/[-_]/g, "0").slice(0, ID_CHARS);
}
