// Builders of tool results, and the JSON text of any value, however odd.

import { isToolError, toToolError } from "./errors.js";
import type { ContentBlock, ToolResult } from "./tool.js";

const INDENT = 2;
// Far below the depth at which JSON.stringify overflows the stack.
const MAX_COPY_DEPTH = 500;
// More values than a result may show; ends the copy of a value that unfolds without end.
const MAX_COPY_VALUES = 100_000;
const CIRCULAR = "[Circular]";
const TOO_DEEP = "[Too deep]";
const TOO_LARGE = "[Too large]";
const UNREADABLE = "[Unreadable]";

/** What a failed call says to programs; facts of a ToolError stand beside these keys. */
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

/** Never throws: what JSON cannot say is replaced by a marker and the rest is kept. */
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
  const shown = { status: "error", tool: String(toolName), error: message } as const;
  return {
    content: [textBlock(JSON.stringify(shown))],
    details: { ...factsOf(error), ...shown },
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

function textBlock(text: string): ContentBlock {
  return { type: "text", text };
}

function factsOf(error: unknown): Record<string, unknown> {
  if (!isToolError(error)) return {};
  try {
    const { code, reason, details } = error;
    return { ...details, code, ...(reason === undefined ? {} : { reason }) };
  } catch {
    // Facts that cannot be read must not hide the error they belong to.
    return {};
  }
}

function toJsonText(value: unknown): string {
  try {
    return JSON.stringify(value, null, INDENT) ?? "null";
  } catch {
    // Bigints, cycles, throwing getters, too deep or too long: the copy has none of them.
    return toJsonTextOfCopy(value);
  }
}

function toJsonTextOfCopy(value: unknown): string {
  try {
    const state = { ancestors: new Set<object>(), valuesLeft: MAX_COPY_VALUES };
    return JSON.stringify(copyForJson(value, state), null, INDENT) ?? "null";
  } catch {
    // Only the length limit of strings is left as a reason.
    return JSON.stringify(TOO_LARGE);
  }
}

interface CopyState {
  readonly ancestors: Set<object>;
  valuesLeft: number;
}

function copyForJson(value: unknown, state: CopyState): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (state.ancestors.has(value)) return CIRCULAR;
  if (state.ancestors.size >= MAX_COPY_DEPTH) return TOO_DEEP;
  state.ancestors.add(value);
  try {
    return copyObject(value, state);
  } catch {
    // A proxy or toJSON that throws costs only its own place.
    return UNREADABLE;
  } finally {
    state.ancestors.delete(value);
  }
}

function copyObject(value: object, state: CopyState): unknown {
  const toJson: unknown = Reflect.get(value, "toJSON");
  if (typeof toJson === "function") {
    const replacement: unknown = Reflect.apply(toJson, value, []);
    if (replacement !== value) return copyForJson(replacement, state);
  }
  return Array.isArray(value) ? copyArray(value, state) : copyRecord(value, state);
}

function copyArray(source: readonly unknown[], state: CopyState): unknown[] {
  const copy: unknown[] = [];
  for (let index = 0; index < source.length; index += 1) {
    if (state.valuesLeft-- <= 0) {
      copy.push(TOO_LARGE);
      break;
    }
    copy.push(copyMember({ source, key: index }, state));
  }
  return copy;
}

function copyRecord(source: object, state: CopyState): object {
  const entries: [string, unknown][] = [];
  for (const key of Object.keys(source)) {
    if (state.valuesLeft-- <= 0) {
      entries.push([TOO_LARGE, true]);
      break;
    }
    entries.push([key, copyMember({ source, key }, state)]);
  }
  // fromEntries defines own keys, "__proto__" included, and calls no setter.
  return Object.fromEntries(entries);
}

function copyMember(member: { source: object; key: string | number }, state: CopyState): unknown {
  let value: unknown;
  try {
    value = Reflect.get(member.source, member.key);
  } catch {
    // The getter throws; its neighbours can still be read.
    return UNREADABLE;
  }
  return copyForJson(value, state);
}
