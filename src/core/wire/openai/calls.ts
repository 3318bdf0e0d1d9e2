// Tool calls in what OpenAI and its like answer: a chat message, a whole completion, or the items of
// the Responses API.

import { isRecord } from "../../schema/json-value.js";
import {
  assertReadable,
  listRecords,
  type ReaderWords,
  readWireCall,
  unreadable,
  type WireToolCall,
} from "../wire-call.js";

const MAX_LEVELS = 5;
const WORDS: ReaderWords = {
  reader: "fromOpenAIToolCalls",
  accepts: "a chat message, its tool_calls, a whole completion or response, or its output items",
  keys: new Set([
    ...["role", "content", "tool_calls", "function_call", "refusal", "message", "choices"],
    ...["output", "type", "function", "custom", "name", "call_id"],
  ]),
};

/** Throws a ToolInputError for a call that names no tool, and for what is not a message. */
export function fromOpenAIToolCalls(message: unknown): WireToolCall[] {
  assertReadable(message, WORDS);
  return listRawCalls(message, MAX_LEVELS).map((call, index) => readWireCall({ ...call, index }));
}

interface RawCall {
  readonly id: unknown;
  readonly name: unknown;
  readonly arguments: unknown;
}

function listRawCalls(message: unknown, levelsLeft: number): RawCall[] {
  const listInner = (inner: unknown) => listRawCalls(inner, levelsLeft - 1);
  if (levelsLeft === 0) return [];
  if (Array.isArray(message)) return message.flatMap(listInner);
  if (!isRecord(message)) return [];
  const call = readCall(message);
  if (call) return [call];
  if (Array.isArray(message.output)) return message.output.flatMap(listInner);
  // One answer is taken; further choices are other answers to the same question.
  if (Array.isArray(message.choices)) return listInner(listRecords(message.choices)[0]);
  if (isRecord(message.delta)) return refuseDelta(message.delta);
  if (isRecord(message.message)) return listInner(message.message);
  if (Array.isArray(message.tool_calls)) {
    return listRecords(message.tool_calls).map((entry) => readCall(entry) ?? NAMELESS);
  }
  // The form before `tool_calls`, which had no ids.
  return isRecord(message.function_call) ? [toRawCall(undefined, message.function_call)] : [];
}

const NAMELESS: RawCall = { id: undefined, name: undefined, arguments: undefined };

function readCall(entry: Record<string, unknown>): RawCall | undefined {
  if (isRecord(entry.function)) return toRawCall(entry.id, entry.function);
  if (isRecord(entry.custom)) return toRawCall(entry.id, entry.custom);
  const isItem = entry.type === "function_call" || entry.type === "custom_tool_call";
  return isItem ? toRawCall(entry.call_id ?? entry.id, entry) : undefined;
}

function toRawCall(id: unknown, called: Record<string, unknown>): RawCall {
  return { id, name: called.name, arguments: called.arguments ?? called.input };
}

function refuseDelta(delta: Record<string, unknown>): RawCall[] {
  if (!Array.isArray(delta.tool_calls) && !isRecord(delta.function_call)) return [];
  throw unreadable(WORDS, "a piece of a stream: put its pieces together first");
}
