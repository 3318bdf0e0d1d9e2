// Tool calls and results between any model API and a toolkit.

import { isToolError, ToolInputError } from "../errors.js";
import { type DescribedTool, namedError, type ToolSchema } from "../schema/extract.js";
import { isRecord, showText } from "../schema/json-value.js";
import { type CompiledSchema, compileSchema } from "../schema/targets/compile-schema.js";
import { lintSchema } from "../schema/targets/lint.js";
import type { SchemaTarget } from "../schema/targets/target.js";
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

export function listImages(content: readonly ContentBlock[]) {
  return content.filter((block) => block.type === "image");
}

export function listRecords(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export type ListedTool = CompiledSchema | ToolSchema | DescribedTool;
export type SendableTool = Pick<CompiledSchema, "name" | "description" | "schema" | "strict">;

interface Sending {
  readonly writer: string;
  readonly target: SchemaTarget;
}

/** Throws a ToolInputError, or a ToolError `limit`, that names the tool which cannot be sent. */
export function readToolList(tools: readonly ListedTool[], sending: Sending): SendableTool[] {
  // Callers without types send anything.
  const list: unknown = tools;
  if (!Array.isArray(list)) {
    throw refused(sending, isRecord(list) && "compiled" in list ? HAS_COMPILED : "no list");
  }
  return list.map((tool: unknown, index) => readListed(tool, { ...sending, index }));
}

const HAS_COMPILED = "an object with compiled; pass that";

function readListed(tool: unknown, sending: Sending & { readonly index: number }): SendableTool {
  const { target, index } = sending;
  if (!isRecord(tool) || typeof tool.name !== "string" || tool.name === "") {
    throw refused(sending, `entry ${index}, which has no name`);
  }
  const { name, schema, input_schema: published, parameters, strict } = tool;
  const description = typeof tool.description === "string" ? tool.description : name;
  if (isRecord(schema)) {
    return { name, description, schema, ...(typeof strict === "boolean" ? { strict } : {}) };
  }
  if (isRecord(published) && lintSchema(published, target).length === 0) {
    return { name, description, schema: published };
  }
  const source = published ?? parameters;
  if (isRecord(source)) return compileNamed({ name, description, parameters: source }, target);
  throw refused(sending, `${showText(name)}, which has no schema, input_schema or parameters`);
}

function compileNamed(tool: DescribedTool, target: SchemaTarget): SendableTool {
  try {
    return compileSchema(tool, target);
  } catch (error) {
    if (!isToolError(error)) throw error;
    throw namedError(tool.name, error);
  }
}

function refused({ writer }: Sending, received: string): ToolInputError {
  return new ToolInputError(
    `${writer} takes a list of compiled schemas, of what toolkit.schemas() gives, or of tools; received ${received}.`,
    { reason: "tool_list_unknown" },
  );
}

const CLAUDE_CODE_NAMES = (
  "AskUserQuestion Bash Edit EnterPlanMode ExitPlanMode Glob Grep KillShell NotebookEdit " +
  "Read Skill Task TaskOutput TodoWrite WebFetch WebSearch Write"
).split(" ");

const BY_FOLDED_NAME: ReadonlyMap<string, string> = new Map(
  CLAUDE_CODE_NAMES.map((name) => [name.toLowerCase(), name]),
);

export function toClaudeCodeName(name: string): string {
  return BY_FOLDED_NAME.get(name.toLowerCase()) ?? name;
}

export function fromClaudeCodeName(name: string, toolNames: readonly string[] = []): string {
  if (toolNames.includes(name)) return name;
  const folded = name.toLowerCase();
  const own = toolNames.find((toolName) => toolName.toLowerCase() === folded);
  if (own !== undefined) return own;
  return BY_FOLDED_NAME.has(folded) ? folded : name;
}
