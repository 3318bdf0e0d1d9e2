// Reads the events of OpenAI's Responses API. Items have ids of their own; a call is known by its
// `call_id`.

import { readField, readNumber, readText } from "../../lib/read-field.js";
import type { UsageCounts } from "../stream/assemble.js";
import type { WireAnswer, WireReader } from "../stream/stream-answer.js";

export function createReader(answer: WireAnswer): WireReader {
  const startItem = (key: string, item: unknown) => {
    if (readText(item, "type") !== "function_call") return;
    answer.startCall(key, {
      id: readText(item, "call_id") ?? "",
      name: readText(item, "name") ?? "",
    });
  };
  const endItem = (key: string, item: unknown) => {
    const type = readText(item, "type");
    if (type === "function_call") {
      // Some servers send the whole item at once.
      if (!answer.hasCall(key)) startItem(key, item);
      const json = readText(item, "arguments");
      answer.endCall(key, json === undefined ? {} : { json });
    } else if (type === "reasoning") answer.endBlock(toSignature(item));
    else answer.endBlock();
  };
  const finish = (response: unknown) => {
    answer.usage(toUsage(readField(response, "usage")));
    const why = readText(readField(response, "incomplete_details"), "reason");
    if (why === "content_filter") answer.refuse();
    else answer.done(why === undefined ? "stop" : "length");
  };

  return {
    read(data) {
      const type = readText(data, "type") ?? "";
      const key = String(readField(data, "output_index"));
      const delta = readText(data, "delta") ?? "";
      if (TEXT_DELTAS.has(type)) answer.text(delta);
      else if (THINKING_DELTAS.has(type)) answer.thinking(delta);
      else if (type === "response.reasoning_summary_part.added") {
        if (readNumber(data, "summary_index") !== 0) answer.thinking("\n\n");
      } else if (type === "response.function_call_arguments.delta") answer.extendCall(key, delta);
      else if (type === "response.output_item.added") startItem(key, readField(data, "item"));
      else if (type === "response.output_item.done") endItem(key, readField(data, "item"));
      else if (type === "response.completed" || type === "response.incomplete") {
        finish(readField(data, "response"));
      } else if (type === "response.failed") answer.failWith(readField(data, "response"));
      else if (type === "error") answer.failWith(readField(data, "error") ? data : { error: data });
    },
  };
}

const TEXT_DELTAS = new Set(["response.output_text.delta", "response.refusal.delta"]);
const THINKING_DELTAS = new Set([
  "response.reasoning_summary_text.delta",
  "response.reasoning_text.delta",
]);

/** What must go back: only the finished item has all of it. */
function toSignature(item: unknown): { type: "thinking"; value: string } | undefined {
  const id = readText(item, "id");
  const encrypted = readText(item, "encrypted_content");
  if (id === undefined || encrypted === undefined) return undefined;
  return { type: "thinking", value: JSON.stringify({ id, encrypted_content: encrypted }) };
}

function toUsage(usage: unknown): UsageCounts {
  return {
    inputTokens: readNumber(usage, "input_tokens"),
    outputTokens: readNumber(usage, "output_tokens"),
    cacheReadTokens: readNumber(readField(usage, "input_tokens_details"), "cached_tokens"),
    reasoningTokens: readNumber(readField(usage, "output_tokens_details"), "reasoning_tokens"),
  };
}
