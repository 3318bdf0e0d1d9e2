// Reads the chunks of a chat completion. Services differ: calls may come without an index, repeat
// their name, or all claim to be the first.

import { readField, readNumber, readText } from "../../lib/read-field.js";
import type { UsageCounts } from "../stream/assemble.js";
import type { WireAnswer, WireReader } from "../stream/stream-answer.js";

export function createReader(answer: WireAnswer): WireReader {
  let finishReason: string | undefined;
  let lastCall: string | undefined;
  /** Which call an index means now, and the ids that are known. */
  const keyByIndex = new Map<number, string>();
  const keyById = new Map<string, string>();
  let callCount = 0;

  const findCall = (delta: unknown): string | undefined => {
    const index = readNumber(delta, "index");
    const id = readText(delta, "id");
    const known = id === undefined ? undefined : keyById.get(id);
    if (known !== undefined) return known;
    const byIndex = index === undefined ? lastCall : keyByIndex.get(index);
    // A new id is a new call, also under an index that is in use.
    return id !== undefined && id !== "" ? undefined : byIndex;
  };
  const readCall = (delta: unknown) => {
    const fn = readField(delta, "function");
    const name = readText(fn, "name") ?? "";
    let key = findCall(delta);
    if (key === undefined) {
      if (name === "") return;
      const id = readText(delta, "id") ?? "";
      key = String(callCount);
      callCount += 1;
      answer.startCall(key, { id, name });
      if (id !== "") keyById.set(id, key);
      const index = readNumber(delta, "index");
      if (index !== undefined) keyByIndex.set(index, key);
    }
    lastCall = key;
    answer.extendCall(key, readText(fn, "arguments") ?? "");
  };
  const finish = () => {
    if (finishReason === "content_filter") answer.refuse();
    else if (finishReason !== undefined) answer.done(finishReason === "length" ? "length" : "stop");
  };

  return {
    read(data, { data: text }) {
      if (text.trim() === "[DONE]") return finish();
      if (readField(data, "error")) return answer.failWith(data);
      const usage = readField(data, "usage");
      if (usage) answer.usage(toUsage(usage));
      const choices = readField(data, "choices");
      const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
      const delta = readField(choice, "delta");
      answer.thinking(readText(delta, "reasoning_content") ?? readText(delta, "reasoning") ?? "");
      answer.text(readText(delta, "content") ?? readText(delta, "refusal") ?? "");
      const calls = readField(delta, "tool_calls");
      if (Array.isArray(calls)) for (const call of calls) readCall(call);
      finishReason = readText(choice, "finish_reason") ?? finishReason;
    },
    close: finish,
  };
}

function toUsage(usage: unknown): UsageCounts {
  const details = readField(usage, "completion_tokens_details");
  return {
    inputTokens: readNumber(usage, "prompt_tokens"),
    outputTokens: readNumber(usage, "completion_tokens"),
    cacheReadTokens: readNumber(readField(usage, "prompt_tokens_details"), "cached_tokens"),
    reasoningTokens: readNumber(details, "reasoning_tokens"),
  };
}
