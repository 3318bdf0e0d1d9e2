// Tool calls in what OpenAI and its like answer: a chat message, a whole completion, or the items of
// the Responses API.

import { isRecord } from "../../schema/json-value.js";
import { listRecords, readWireCall, type WireToolCall } from "../wire-call.js";

const RESPONSES_CALL = "function_call";

/**
 * In the order of the message; none when it has none. Arguments stay as they came, usually JSON text.
 * Throws a ToolInputError for a call that names no tool.
 */
export function fromOpenAIToolCalls(message: unknown): WireToolCall[] {
  return listRawCalls(message).map((call, index) => readWireCall({ ...call, index }));
}

interface RawCall {
  readonly id: unknown;
  readonly name: unknown;
  readonly arguments: unknown;
}

function listRawCalls(message: unknown): RawCall[] {
  if (Array.isArray(message)) return message.flatMap(listRawCalls);
  if (!isRecord(message)) return [];
  if (message.type === RESPONSES_CALL) return [toRawCall(message.call_id ?? message.id, message)];
  if (Array.isArray(message.output)) return message.output.flatMap(listRawCalls);
  if (Array.isArray(message.choices)) {
    // One answer is taken; further choices are other answers to the same question.
    return listRawCalls(listRecords(message.choices)[0]?.message);
  }
  if (Array.isArray(message.tool_calls)) {
    return listRecords(message.tool_calls).map((call) => toRawCall(call.id, call.function));
  }
  // The form before `tool_calls`, which had no ids.
  return isRecord(message.function_call) ? [toRawCall(undefined, message.function_call)] : [];
}

function toRawCall(id: unknown, called: unknown): RawCall {
  const { name, arguments: given } = isRecord(called) ? called : {};
  return { id, name, arguments: given };
}
