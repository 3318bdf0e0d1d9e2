// Tool calls and results between any model API and a toolkit. Each API's own shapes are in the files
// beside this one.

import { ToolInputError } from "../errors.js";
import { isRecord } from "../schema/json-value.js";
import type { ContentBlock } from "../tool.js";

export interface WireToolCall {
  readonly id: string;
  readonly name: string;
  /** As it came: an object, or JSON text that preparing the call parses. */
  readonly arguments: unknown;
  /** The message had no id; this one is made from the place of the call in it. */
  readonly madeId?: true;
}

/** What goes back to the model. Whatever else a result has, such as `details`, is not sent. */
export interface WireToolResult {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly ContentBlock[];
  readonly isError: boolean;
}

interface RawCall {
  readonly id: unknown;
  readonly name: unknown;
  readonly arguments: unknown;
  /** Place in the message. */
  readonly index: number;
  /** Sets made ids of one message apart from those of another. */
  readonly turn?: number | undefined;
}

const MADE_ID = /^call_\d+(?:_\d+)?$/;

/** Throws a ToolInputError for a call that names no tool. */
export function readWireCall(raw: RawCall): WireToolCall {
  const { id, name, index, turn } = raw;
  if (typeof name !== "string" || name === "") {
    throw new ToolInputError(`Tool call ${index} of the message names no tool.`, {
      reason: "call_unnamed",
    });
  }
  if (typeof id === "string" && id !== "") return { id, name, arguments: raw.arguments };
  const made = turn === undefined ? `call_${index}` : `call_${turn}_${index}`;
  return { id: made, name, arguments: raw.arguments, madeId: true };
}

/** Whether `readWireCall` made the id. */
export function isMadeId(id: string): boolean {
  return MADE_ID.test(id);
}

/** All texts of a result, one below the other. */
export function joinText(content: readonly ContentBlock[]): string {
  return content
    .filter((block) => block.type === "text")
    .map((block) => block.text)
    .join("\n");
}

export function listImages(content: readonly ContentBlock[]) {
  return content.filter((block) => block.type === "image");
}

/** The entries of a list that are objects; nothing when it is no list. */
export function listRecords(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
