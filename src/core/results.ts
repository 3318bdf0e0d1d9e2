// Builders of tool results, and the JSON text of any value, however odd.

import { isToolError, toToolError } from "./errors.js";
import { CIRCULAR } from "./schema/json-value.js";
import type { ContentBlock, ToolResult } from "./tool.js";

const INDENT = 2;
const UNREADABLE = "[Unreadable]";

/** The details of a failed call, for programs; those of a ToolError are added to these keys. */
export interface ErrorDetails {
  readonly status: "error";
  readonly tool: string;
  readonly error: string;
  readonly code?: string;
  readonly reason?: string;
  readonly [fact: string]: unknown;
}

export interface ImageResultParams {
  readonly label: string;
  readonly base64: string;
  readonly mimeType: string;
  readonly path?: string | undefined;
  readonly extraText?: string | undefined;
  /** Defaults to the label, and the path if there is one. */
  readonly details?: unknown;
}

/** Never throws: bigints become text, and what JSON cannot say becomes a marker. */
export function jsonResult<TPayload>(payload: TPayload): ToolResult<TPayload> {
  return { content: [textBlock(toJsonText(payload))], details: payload };
}

export function textResult<TDetails>(text: string, details?: TDetails): ToolResult<TDetails> {
  const content = [textBlock(text)];
  return details === undefined ? { content } : { content, details };
}

/** Takes anything that can be thrown; only its message is shown, never its stack. */
export function errorResult(toolName: string, error: unknown): ToolResult<ErrorDetails> {
  const message = typeof error === "string" ? error : toToolError(error).message;
  const { sentence, diagnosis } = splitMessage(message);
  const shown = { status: "error", tool: String(toolName), error: sentence } as const;
  return {
    content: [
      textBlock(JSON.stringify(shown)),
      ...(diagnosis === "" ? [] : [textBlock(diagnosis)]),
    ],
    // For programs the whole message, in one field.
    details: { ...factsOf(error), ...shown, error: message },
    isError: true,
  };
}

export function imageResult(params: ImageResultParams): ToolResult {
  const { label, base64, mimeType, path, extraText } = params;
  const content: ContentBlock[] = [];
  if (path) content.push(textBlock(`MEDIA:${path}`));
  if (extraText) content.push(textBlock(extraText));
  content.push({ type: "image", data: base64, mimeType });
  return { content, details: params.details ?? (path ? { label, path } : { label }) };
}

export function textOf({ content }: { readonly content: readonly ContentBlock[] }): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function splitMessage(message: string): { sentence: string; diagnosis: string } {
  const text = message.trimStart();
  const end = text.indexOf("\n");
  const rest = end === -1 ? "" : text.slice(end + 1);
  if (rest.trim() === "") return { sentence: message, diagnosis: "" };
  return { sentence: text.slice(0, end).trimEnd(), diagnosis: rest.replace(/^\s*\n/, "") };
}

function textBlock(text: string): ContentBlock {
  return { type: "text", text };
}

function factsOf(error: unknown): Record<string, unknown> {
  if (!isToolError(error)) return {};
  const { code, reason, details } = error;
  return { ...details, code, ...(reason === undefined ? {} : { reason }) };
}

function toJsonText(value: unknown): string {
  try {
    return JSON.stringify(value, null, INDENT) ?? "null";
  } catch {
    // It may hold a bigint or itself.
    return toLenientJson(value);
  }
}

function toLenientJson(value: unknown): string {
  const ancestors: unknown[] = [];
  function replace(this: unknown, _key: string, item: unknown): unknown {
    if (typeof item === "bigint") return String(item);
    while (ancestors.length > 0 && ancestors.at(-1) !== this) ancestors.pop();
    if (typeof item !== "object" || item === null) return item;
    if (ancestors.includes(item)) return CIRCULAR;
    ancestors.push(item);
    return item;
  }
  try {
    return JSON.stringify(value, replace, INDENT) ?? "null";
  } catch {
    // It throws when read, or is too deep or too long.
    return JSON.stringify(UNREADABLE);
  }
}
