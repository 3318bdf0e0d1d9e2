// One question to a model: the stream becomes a whole answer, a fault, or what was said until an abort.
// Never retries; that is decided by the run.

import { leaveOutImages } from "../../connectors/index.js";
import type {
  Connector,
  ModelDescriptor,
  ModelFault,
  StreamContext,
  StreamEvent,
  StreamOptions,
  UsageInfo,
} from "../../core/connector.js";
import type { AssistantContent } from "../../sessions/index.js";

const MAX_ANSWER_CHARS = 1_000_000;
const MAX_CALLS = 64;
const MAX_ARGUMENT_CHARS = 1_000_000;

/** A model that can be asked. */
export interface ModelChoice {
  readonly connector: Connector;
  readonly model: ModelDescriptor;
  readonly apiKey?: string | undefined;
}

export type Answer =
  | {
      readonly kind: "answer";
      readonly content: AssistantContent;
      readonly stop: "stop" | "toolUse" | "length";
      readonly usage: UsageInfo | undefined;
      /** What was cut, in words for the model. */
      readonly notice?: string | undefined;
    }
  | {
      readonly kind: "fault";
      readonly reason: ModelFault;
      readonly message: string;
      readonly retryAfterMs: number | undefined;
    }
  | { readonly kind: "aborted"; readonly content: AssistantContent };

export interface Question {
  readonly choice: ModelChoice;
  readonly context: StreamContext;
  readonly options: StreamOptions;
  readonly signal: AbortSignal;
  readonly onDelta: (delta: { readonly type: "text" | "thinking"; readonly delta: string }) => void;
  /** The id that the nth call of this answer gets. */
  readonly callId: (index: number) => string;
}

export async function ask({
  choice,
  context,
  options,
  signal,
  onDelta,
  callId,
}: Question): Promise<Answer> {
  const { connector, model, apiKey } = choice;
  // The stream's own, so that the request ends when the answer is whole or too long.
  const control = new AbortController();
  const streamSignal = AbortSignal.any([signal, control.signal]);
  const heard = createHearing(callId);
  try {
    const messages = leaveOutImages(context.messages, model);
    const shown = { ...context, messages };
    const settings = { ...options, apiKey, signal: streamSignal };
    for await (const event of connector.stream(model, shown, settings)) {
      if (signal.aborted) break;
      if (event.type === "text_delta") onDelta({ type: "text", delta: event.delta });
      if (event.type === "thinking_delta") onDelta({ type: "thinking", delta: event.delta });
      const answer = heard.take(event);
      if (answer) return answer;
    }
  } catch (error) {
    if (!signal.aborted)
      return toFault({ error: error instanceof Error ? error.message : String(error) });
  } finally {
    control.abort();
  }
  if (signal.aborted) return { kind: "aborted", content: heard.said() };
  return toFault({
    error: "The stream ended before the answer was complete.",
    reason: "stream_cut",
  });
}

function createHearing(callId: Question["callId"]) {
  const content: AssistantContent = [];
  let open = "";
  let chars = 0;
  let calls = 0;
  const closeText = () => {
    if (open !== "") content.push({ type: "text", text: open });
    open = "";
  };

  function takeCall({ toolCall }: Extract<StreamEvent, { type: "toolcall_end" }>): void {
    calls += 1;
    if (calls > MAX_CALLS) return;
    const { name, arguments: given, argumentsText, signature } = toolCall;
    const length = argumentsText?.length ?? JSON.stringify(given).length;
    const kept =
      length > MAX_ARGUMENT_CHARS
        ? {
            arguments: {},
            argumentsText: `(${length} characters, dropped: the limit is ${MAX_ARGUMENT_CHARS})`,
          }
        : { arguments: given, ...(argumentsText === undefined ? {} : { argumentsText }) };
    content.push({
      ...{ type: "toolCall", id: callId(calls), name: name.slice(0, 200), ...kept },
      ...(signature === undefined ? {} : { signature }),
    });
  }

  return {
    /** Finished texts and what was streamed of the open one; no calls, no thinking. */
    said(): AssistantContent {
      closeText();
      return content.filter(({ type }) => type === "text");
    },
    take(event: StreamEvent): Answer | undefined {
      if (event.type === "text_delta" || event.type === "thinking_delta") {
        chars += event.delta.length;
        if (event.type === "text_delta") open += event.delta;
        if (chars <= MAX_ANSWER_CHARS) return undefined;
        const kept = this.said();
        const notice = `The answer was stopped after ${MAX_ANSWER_CHARS} characters.`;
        return { kind: "answer", content: kept, stop: "length", usage: undefined, notice };
      }
      if (event.type === "text_end") {
        const { content: text, signature } = event;
        open = "";
        if (text !== "" || signature !== undefined) {
          content.push({ type: "text", text, ...(signature === undefined ? {} : { signature }) });
        }
      }
      if (event.type === "thinking_end") {
        const { content: thinking, signature, redacted } = event;
        content.push({
          ...{ type: "thinking", thinking },
          ...(signature === undefined ? {} : { signature }),
          ...(redacted === undefined ? {} : { redacted }),
        });
      }
      if (event.type === "toolcall_end") takeCall(event);
      if (event.type === "error") return toFault(event);
      if (event.type !== "done") return undefined;
      closeText();
      if (event.stopReason === "error") return toFault({ error: "The model reported an error." });
      const stop = calls > 0 && event.stopReason === "stop" ? "toolUse" : event.stopReason;
      const notice =
        calls > MAX_CALLS
          ? `${calls - MAX_CALLS} further calls were dropped: one answer may make ${MAX_CALLS}.`
          : undefined;
      return { kind: "answer", content, stop, usage: event.usage, notice };
    },
  };
}

function toFault(event: {
  readonly error: string;
  readonly reason?: ModelFault;
  readonly retryAfterMs?: number;
}): Answer {
  const { error, reason = "provider_failed", retryAfterMs } = event;
  return { kind: "fault", reason, message: error, retryAfterMs };
}
