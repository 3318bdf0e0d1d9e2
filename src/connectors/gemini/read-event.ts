// Reads the chunks of Gemini's streamGenerateContent. Calls come whole; a signature belongs to the
// very part it came with, which may be an empty text.

import type { ModelFault } from "../../core/connector.js";
import { readField, readNumber, readText } from "../../lib/read-field.js";
import type { UsageCounts } from "../stream/assemble.js";
import type { WireAnswer, WireQuestion, WireReader } from "../stream/stream-answer.js";

const MALFORMED = new Set(["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"]);
const ENDS = new Set(["STOP", "MAX_TOKENS", "FINISH_REASON_UNSPECIFIED", "OTHER"]);

export function createReader(answer: WireAnswer, { model }: WireQuestion): WireReader {
  const who = `${model.provider}/${model.id}`;
  let finishReason: string | undefined;
  let callCount = 0;

  const readPart = (part: unknown) => {
    const value = readText(part, "thoughtSignature");
    const call = readField(part, "functionCall");
    if (call) {
      const key = String(callCount);
      callCount += 1;
      answer.startCall(key, {
        id: readText(call, "id") ?? "",
        name: readText(call, "name") ?? "",
      });
      answer.extendCall(key, JSON.stringify(readField(call, "args") ?? {}));
      answer.endCall(key, value === undefined ? {} : { signature: value });
      return;
    }
    const text = readText(part, "text") ?? "";
    const type = readField(part, "thought") === true ? "thinking" : "text";
    if (value !== undefined) answer.endBlock();
    answer[type](text);
    if (value !== undefined) answer.endBlock({ type, value });
  };
  const refuse = (reason: ModelFault, why: string) =>
    answer.fail({ error: `${who} failed (${reason}): ${why}.`, reason });

  return {
    read(data) {
      if (readField(data, "error")) return answer.failWith(data);
      const usage = readField(data, "usageMetadata");
      if (usage) answer.usage(toUsage(usage));
      const blocked = readText(readField(data, "promptFeedback"), "blockReason");
      if (blocked !== undefined) return refuse("content_refused", blocked);
      const candidates = readField(data, "candidates");
      const candidate: unknown = Array.isArray(candidates) ? candidates[0] : undefined;
      const parts = readField(readField(candidate, "content"), "parts");
      if (Array.isArray(parts)) for (const part of parts) readPart(part);
      finishReason = readText(candidate, "finishReason") ?? finishReason;
    },
    close() {
      if (finishReason === undefined) return;
      if (MALFORMED.has(finishReason)) refuse("call_malformed", finishReason);
      else if (!ENDS.has(finishReason)) refuse("content_refused", finishReason);
      else answer.done(finishReason === "MAX_TOKENS" ? "length" : "stop");
    },
  };
}

function toUsage(usage: unknown): UsageCounts {
  const answerTokens = readNumber(usage, "candidatesTokenCount");
  const reasoningTokens = readNumber(usage, "thoughtsTokenCount");
  return {
    inputTokens: readNumber(usage, "promptTokenCount"),
    outputTokens: answerTokens === undefined ? undefined : answerTokens + (reasoningTokens ?? 0),
    cacheReadTokens: readNumber(usage, "cachedContentTokenCount"),
    reasoningTokens,
  };
}
