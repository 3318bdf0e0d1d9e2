// Reads the events of Anthropic's Messages API.

import { fromClaudeCodeName } from "../../core/wire.js";
import { readField, readNumber, readText } from "../../lib/read-field.js";
import type { UsageCounts } from "../stream/assemble.js";
import type { WireAnswer, WireQuestion, WireReader } from "../stream/stream-answer.js";

interface Reading extends WireQuestion {
  readonly isOauth: boolean;
}

export function createReader(answer: WireAnswer, { context, isOauth }: Reading): WireReader {
  const toolNames = (context.tools ?? []).map(({ name }) => name);
  /** The input in parts: fresh, read from the cache, written to it. */
  let counts: Readonly<Record<string, number>> = {};
  let stopReason: string | undefined;

  const start = (key: string, block: unknown) => {
    const type = readText(block, "type");
    if (type === "redacted_thinking") answer.redacted(readText(block, "data") ?? "");
    if (type === "text") answer.text(readText(block, "text") ?? "");
    if (type === "thinking") answer.thinking(readText(block, "thinking") ?? "");
    if (type !== "tool_use") return;
    const name = readText(block, "name") ?? "";
    answer.startCall(key, {
      id: readText(block, "id") ?? "",
      name: isOauth ? fromClaudeCodeName(name, toolNames) : name,
    });
  };
  const extend = (key: string, delta: unknown) => {
    answer.text(readText(delta, "text") ?? "");
    answer.thinking(readText(delta, "thinking") ?? "");
    answer.extendCall(key, readText(delta, "partial_json") ?? "");
    const signature = readText(delta, "signature");
    if (signature) answer.endBlock({ type: "thinking", value: signature });
  };
  const count = (usage: unknown) => {
    const found = [
      "input_tokens",
      "output_tokens",
      "cache_read_input_tokens",
      "cache_creation_input_tokens",
    ]
      .map((name): [string, number | undefined] => [name, readNumber(usage, name)])
      .filter((entry): entry is [string, number] => entry[1] !== undefined);
    counts = { ...counts, ...Object.fromEntries(found) };
    answer.usage(toUsage(counts));
  };
  const finish = () => {
    if (stopReason === "refusal") return answer.refuse();
    const isCut = stopReason === "max_tokens" || stopReason === "model_context_window_exceeded";
    answer.done(isCut ? "length" : "stop");
  };

  return {
    read(data) {
      const type = readText(data, "type");
      const key = String(readField(data, "index"));
      if (type === "message_start") count(readField(readField(data, "message"), "usage"));
      else if (type === "content_block_start") start(key, readField(data, "content_block"));
      else if (type === "content_block_delta") extend(key, readField(data, "delta"));
      else if (type === "content_block_stop") {
        if (answer.hasCall(key)) answer.endCall(key);
        else answer.endBlock();
      } else if (type === "message_delta") {
        stopReason = readText(readField(data, "delta"), "stop_reason") ?? stopReason;
        count(readField(data, "usage"));
      } else if (type === "message_stop") finish();
      else if (type === "error") answer.failWith(data);
    },
  };
}

function toUsage(counts: Readonly<Record<string, number>>): UsageCounts {
  const { input_tokens: fresh, output_tokens: outputTokens } = counts;
  const { cache_read_input_tokens: cacheReadTokens } = counts;
  const { cache_creation_input_tokens: cacheWriteTokens } = counts;
  const cached = (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
  const inputTokens = fresh === undefined ? undefined : fresh + cached;
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
}
