// The mock answers in the four wire formats, as lists of server-sent events.

import type { MockAnswer, MockCall, WireName } from "./answers.js";

export interface WireEvent {
  readonly event?: string;
  readonly data: string;
}

const joined = ({ pieces }: MockCall) => pieces.join("");
const plain = (data: unknown): WireEvent => ({ data: JSON.stringify(data) });

export const WRITERS: Readonly<Record<WireName, (answer: MockAnswer) => WireEvent[]>> = {
  chat: writeChat,
  responses: writeResponses,
  anthropic: writeAnthropic,
  gemini: writeGemini,
};

/** An error in the middle of a good answer. */
export const INNER_ERRORS: Readonly<Record<WireName, WireEvent>> = {
  chat: plain({ error: { message: "The server had an error", type: "server_error", code: null } }),
  responses: named("error", { code: "server_error", message: "The server had an error" }),
  anthropic: named("error", { error: { type: "overloaded_error", message: "Overloaded" } }),
  gemini: plain({ error: { code: 500, status: "INTERNAL", message: "Internal error" } }),
};

function named(type: string, fields: object): WireEvent {
  return { event: type, data: JSON.stringify({ type, ...fields }) };
}

function writeChat({ thinking, text = [], calls = [], stop, usage }: MockAnswer): WireEvent[] {
  const chunk = (delta: object, finish: string | null = null) =>
    plain({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model: "mock",
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const usual = calls.length > 0 ? "tool_calls" : "stop";
  const finish = { stop: usual, length: "length", refused: "content_filter", malformed: usual }[
    stop
  ];
  // Parallel calls take turns: first their names, then one piece of each.
  const rounds = Math.max(0, ...calls.map(({ pieces }) => pieces.length));
  const pieces = Array.from({ length: rounds }, (_none, round) =>
    calls.flatMap((call, index) => {
      const piece = call.pieces[round];
      return piece === undefined
        ? []
        : [chunk({ tool_calls: [{ index, function: { arguments: piece } }] })];
    }),
  ).flat();
  return [
    chunk({ role: "assistant", content: "" }),
    ...(thinking?.pieces ?? []).map((piece) => chunk({ reasoning_content: piece })),
    ...text.map((piece) => chunk({ content: piece })),
    ...calls.map(({ id, name }, index) =>
      chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
    ),
    ...pieces,
    chunk({}, finish),
    plain({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model: "mock",
      choices: [],
      usage: {
        prompt_tokens: usage.fresh + usage.cacheRead + usage.cacheWrite,
        completion_tokens: usage.output,
        total_tokens: 0,
        prompt_tokens_details: { cached_tokens: usage.cacheRead },
        completion_tokens_details: { reasoning_tokens: usage.reasoning },
      },
    }),
    { data: "[DONE]" },
  ];
}

function writeResponses({ thinking, text, calls = [], stop, usage }: MockAnswer): WireEvent[] {
  const events: WireEvent[] = [];
  let place = 0;
  const add = (type: string, fields: object) =>
    events.push(named(type, { sequence_number: events.length, ...fields }));
  const item = (added: object, body: () => void, done: object) => {
    add("response.output_item.added", { output_index: place, item: added });
    body();
    add("response.output_item.done", { output_index: place, item: done });
    place += 1;
  };
  const response = { id: "resp_1", object: "response", created_at: 1, model: "mock", output: [] };
  add("response.created", { response: { ...response, status: "in_progress" } });
  if (thinking) {
    const own = { type: "reasoning", id: "rs_1", summary: [] };
    const at = { item_id: "rs_1", output_index: place, summary_index: 0 };
    item(
      { ...own, encrypted_content: "partial" },
      () => {
        add("response.reasoning_summary_part.added", {
          ...at,
          part: { type: "summary_text", text: "" },
        });
        for (const delta of thinking.pieces) {
          add("response.reasoning_summary_text.delta", { ...at, delta });
        }
      },
      { ...own, encrypted_content: thinking.signature },
    );
  }
  if (text) {
    const own = {
      type: "message",
      id: "msg_1",
      role: "assistant",
      content: [],
      status: "completed",
    };
    const at = { item_id: "msg_1", output_index: place, content_index: 0 };
    item(
      own,
      () => {
        for (const delta of text) add("response.output_text.delta", { ...at, delta, logprobs: [] });
      },
      own,
    );
  }
  for (const call of calls) {
    const id = `fc_${place}`;
    const own = { type: "function_call", id, call_id: call.id, name: call.name };
    const at = { item_id: id, output_index: place };
    item(
      { ...own, arguments: "", status: "in_progress" },
      () => {
        for (const delta of call.pieces) {
          add("response.function_call_arguments.delta", { ...at, delta });
        }
      },
      { ...own, arguments: joined(call), status: "completed" },
    );
  }
  const why = {
    stop: null,
    malformed: null,
    length: "max_output_tokens",
    refused: "content_filter",
  }[stop];
  const status = why === null ? "completed" : "incomplete";
  add(`response.${status}`, {
    response: {
      ...response,
      status,
      incomplete_details: why === null ? null : { reason: why },
      usage: {
        input_tokens: usage.fresh + usage.cacheRead + usage.cacheWrite,
        input_tokens_details: { cached_tokens: usage.cacheRead },
        output_tokens: usage.output,
        output_tokens_details: { reasoning_tokens: usage.reasoning },
        total_tokens: 0,
      },
    },
  });
  return events;
}

function writeAnthropic(answer: MockAnswer): WireEvent[] {
  const { thinking, redacted, text, calls = [], stop, usage } = answer;
  const events: WireEvent[] = [];
  let index = 0;
  const add = (type: string, fields: object = {}) => events.push(named(type, fields));
  const block = (start: object, deltas: readonly object[]) => {
    add("content_block_start", { index, content_block: start });
    for (const delta of deltas) add("content_block_delta", { index, delta });
    add("content_block_stop", { index });
    index += 1;
  };
  const input = {
    input_tokens: usage.fresh,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: usage.cacheWrite,
  };
  const message = { id: "msg_1", type: "message", role: "assistant", model: "mock", content: [] };
  add("message_start", {
    message: {
      ...message,
      stop_reason: null,
      stop_sequence: null,
      usage: { ...input, output_tokens: 1 },
    },
  });
  add("ping");
  if (thinking) {
    block({ type: "thinking", thinking: "", signature: "" }, [
      ...thinking.pieces.map((piece) => ({ type: "thinking_delta", thinking: piece })),
      { type: "signature_delta", signature: thinking.signature },
    ]);
  }
  if (redacted) block({ type: "redacted_thinking", data: redacted }, []);
  if (text)
    block(
      { type: "text", text: "" },
      text.map((piece) => ({ type: "text_delta", text: piece })),
    );
  for (const { id, name, pieces } of calls) {
    const deltas = ["", ...pieces].map((piece) => ({
      type: "input_json_delta",
      partial_json: piece,
    }));
    block({ type: "tool_use", id, name, input: {} }, deltas);
  }
  const usual = calls.length > 0 ? "tool_use" : "end_turn";
  const reason = { stop: usual, malformed: usual, length: "max_tokens", refused: "refusal" }[stop];
  add("message_delta", {
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: usage.output },
  });
  add("message_stop");
  return events;
}

function writeGemini({ thinking, text = [], calls = [], stop, usage }: MockAnswer): WireEvent[] {
  const parts: object[] = [
    ...(thinking?.pieces ?? []).map((piece) => ({ text: piece, thought: true })),
    ...text.map((piece) => ({ text: piece })),
    ...calls.map((call) => ({
      functionCall: { name: call.name, args: parseOr(joined(call)) },
      ...(call.signature && { thoughtSignature: call.signature }),
    })),
    // Without calls the signature comes on a last part, which may be empty.
    ...(thinking && calls.length === 0 ? [{ text: "", thoughtSignature: thinking.signature }] : []),
  ];
  const reason = {
    stop: "STOP",
    length: "MAX_TOKENS",
    refused: "SAFETY",
    malformed: "MALFORMED_FUNCTION_CALL",
  }[stop];
  const usageMetadata = {
    promptTokenCount: usage.fresh + usage.cacheRead + usage.cacheWrite,
    cachedContentTokenCount: usage.cacheRead,
    candidatesTokenCount: usage.output - usage.reasoning,
    thoughtsTokenCount: usage.reasoning,
    totalTokenCount: 0,
  };
  return parts.map((part, index) =>
    plain({
      candidates: [
        {
          content: { role: "model", parts: [part] },
          index: 0,
          ...(index === parts.length - 1 && { finishReason: reason }),
        },
      ],
      usageMetadata,
      modelVersion: "mock",
    }),
  );
}

function parseOr(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // This format has no broken JSON: arguments are an object.
    return {};
  }
}
