// Tool calls and results between any model API and a toolkit. Each API's own shapes are in the files
// next to this one.

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
  readonly index: number;
  readonly turn?: number | undefined;
}

const MAX_SHOWN_KEYS = 5;
const MAX_SHOWN_CHARS = 100;
const MADE_ID = /^(?:call_\d+(?:_\d+)?|made_[0-9a-f]{24})$/;

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

export interface ReaderWords {
  /** The function that reads, and what it takes: the error is made of these. */
  readonly reader: string;
  readonly accepts: string;
  /** An object that has none of these is a message of something else. */
  readonly keys: ReadonlySet<string>;
}

/** Throws a ToolInputError for what cannot be a message: its calls would be lost in silence. */
export function assertReadable(message: unknown, words: ReaderWords): void {
  if (message === undefined || message === null || Array.isArray(message)) return;
  const keys = isRecord(message) ? Object.keys(message) : undefined;
  if (keys && (keys.length === 0 || keys.some((key) => words.keys.has(key)))) return;
  const received = keys
    ? `an object with ${keys.slice(0, MAX_SHOWN_KEYS).join(", ").slice(0, MAX_SHOWN_CHARS)}`
    : `a ${typeof message}`;
  throw unreadable(words, received);
}

export function unreadable({ reader, accepts }: ReaderWords, received: string): ToolInputError {
  return new ToolInputError(`${reader} takes ${accepts}; received ${received}.`, {
    reason: "message_unknown",
  });
}

export function isMadeId(id: string): boolean {
  return MADE_ID.test(id);
}

export function joinText(content: readonly ContentBlock[]): string {
  return content
    .filter((block) => block.type === "text")
    .map((block) => block.text)
    .join("\n");
}

export function listImages(content: readonly ContentBlock[]) {
  return content.filter((block) => block.type === "image");
}

export function listRecords(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
