// The agents under the interfaces of OpenAI: chat completions, responses, models. Off by default.

import type { ServerResponse } from "node:http";
import { ToolError, toToolError } from "../../../core/index.js";
import { readField, readNumber, readText } from "../../../lib/read-field.js";
import {
  type HttpCall,
  type HttpRoute,
  type RouteParts,
  readJsonBody,
  sendJson,
} from "../routes.js";
import { readTurn, type Turn } from "./read-turn.js";

const MAX_BODY_BYTES = 20 * 1024 * 1024;
const SECOND_MS = 1_000;
const PREFIXES = ["openclaw", "clawtools"];

interface Reply {
  readonly text: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** How one interface says things. A stream is begun, gets each piece of text, and is ended. */
interface Shape {
  whole(reply: Reply): unknown;
  begin(): void;
  text(delta: string): void;
  end(reply: Reply): void;
}

type MakeShape = (facts: {
  readonly turn: Turn;
  readonly body: unknown;
  /** Unix time in seconds. */
  readonly created: number;
  readonly response: ServerResponse;
}) => Shape;

export function listOpenAiRoutes(parts: RouteParts): HttpRoute[] {
  const { config, agents, clock } = parts.services;
  const isOn = (name: "chatCompletions" | "responses") =>
    config.current().gateway?.http?.endpoints?.[name]?.enabled === true;
  return [
    {
      path: "/v1/chat/completions",
      methods: ["POST"],
      auth: "operator.write",
      isOn: () => isOn("chatCompletions"),
      handle: (http) => answer(http, parts, chatShape),
    },
    {
      path: "/v1/responses",
      methods: ["POST"],
      auth: "operator.write",
      isOn: () => isOn("responses"),
      handle: (http) => answer(http, parts, responsesShape),
    },
    {
      path: "/v1/models",
      methods: ["GET"],
      auth: "operator.read",
      isOn: () => isOn("chatCompletions") || isOn("responses"),
      handle({ response }) {
        const ids = agents.list().map(({ id }) => `/${id}`);
        const names = PREFIXES.flatMap((prefix) =>
          ["", "/default", ...ids].map((end) => prefix + end),
        );
        const created = Math.floor(clock.now() / SECOND_MS);
        const data = names.map((id) => ({ id, object: "model", created, owned_by: "clawtools" }));
        sendJson(response, { body: { object: "list", data } });
      },
    },
  ];
}

async function answer(http: HttpCall, parts: RouteParts, makeShape: MakeShape): Promise<void> {
  const { request, response } = http;
  const body = await readJsonBody(request, MAX_BODY_BYTES);
  const turn = await readTurn(request, body, parts.services);
  const created = Math.floor(parts.services.clock.now() / SECOND_MS);
  const shape = makeShape({ turn, body, created, response });
  if (readField(body, "stream") !== true) {
    return sendJson(response, { body: shape.whole(await run(http, parts, turn)) });
  }
  const { agent } = parts.services;
  let isEmpty = true;
  const say = (delta: string) => {
    if (isEmpty) beginStream(response, shape);
    isEmpty = false;
    shape.text(delta);
  };
  const stop = agent.on((event) => {
    if (event.runId === turn.runId && event.type === "text") say(event.delta);
  });
  try {
    const reply = await run(http, parts, turn);
    // A message that joined a run under way has no text of its own.
    if (isEmpty) say(reply.text);
    shape.end(reply);
  } catch (thrown) {
    if (isEmpty) throw thrown;
    const { code, message } = toToolError(thrown);
    sendEvent(response, { type: "error", error: { type: code, message } });
  } finally {
    stop();
  }
  response.end();
}

/** A client that goes away stops its run. */
async function run(
  { response, principal }: HttpCall,
  { services, call }: RouteParts,
  { runId, sessionKey, message, attachments }: Turn,
): Promise<Reply> {
  if (principal === undefined) throw new ToolError("denied", "Send the token of the gateway.");
  const gone = new AbortController();
  const leave = () => {
    gone.abort();
    if (services.agent.running(sessionKey) === runId) {
      services.agent.abort(sessionKey, "the client went away");
    }
  };
  response.once("close", leave);
  try {
    const params = { message, attachments, sessionKey, idempotencyKey: runId };
    const done = await call("agent", params, { principal, signal: gone.signal });
    const result = readField(done, "result");
    const payloads = readField(result, "payloads");
    const usage = readField(readField(readField(result, "meta"), "agentMeta"), "usage");
    return {
      text: (Array.isArray(payloads) && readText(payloads[0], "text")) || "",
      inputTokens: readNumber(usage, "input") ?? 0,
      outputTokens: readNumber(usage, "output") ?? 0,
    };
  } finally {
    response.off("close", leave);
  }
}

function beginStream(response: ServerResponse, shape: Shape): void {
  response.writeHead(200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  shape.begin();
}

function sendEvent(response: ServerResponse, data: unknown, name?: string): void {
  const head = name === undefined ? "" : `event: ${name}\n`;
  response.write(`${head}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
}

const chatShape: MakeShape = ({ turn, body, created, response }) => {
  const head = { id: `chatcmpl_${turn.runId}`, created, model: turn.model };
  const usageOf = ({ inputTokens, outputTokens }: Reply) => ({
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  });
  const chunk = (delta: object, finish_reason: "stop" | null = null) =>
    sendEvent(response, {
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason }],
    });
  return {
    whole: (reply) => ({
      ...head,
      object: "chat.completion",
      choices: [
        { index: 0, message: { role: "assistant", content: reply.text }, finish_reason: "stop" },
      ],
      usage: usageOf(reply),
    }),
    begin: () => chunk({ role: "assistant", content: "" }),
    text: (content) => chunk({ content }),
    end(reply) {
      chunk({}, "stop");
      if (readField(readField(body, "stream_options"), "include_usage") === true) {
        const last = { ...head, object: "chat.completion.chunk", choices: [] };
        sendEvent(response, { ...last, usage: usageOf(reply) });
      }
      sendEvent(response, "[DONE]");
    },
  };
};

const responsesShape: MakeShape = ({ turn, created, response }) => {
  const itemId = `msg_${turn.runId}`;
  const place = { item_id: itemId, output_index: 0, content_index: 0 };
  let sequence = 0;
  let said = "";
  const part = (text: string) => ({ type: "output_text", text, annotations: [] });
  const item = (status: string, content: readonly unknown[]) => ({
    ...{ id: itemId, type: "message", role: "assistant", status, content },
  });
  const whole = (status: string, output: readonly unknown[], reply?: Reply) => ({
    ...{ id: `resp_${turn.runId}`, object: "response", created_at: created, status },
    ...{ model: turn.model, output, error: null },
    usage: reply && {
      input_tokens: reply.inputTokens,
      output_tokens: reply.outputTokens,
      total_tokens: reply.inputTokens + reply.outputTokens,
    },
  });
  const emit = (type: string, more: object) => {
    sendEvent(response, { type, sequence_number: sequence, ...more }, type);
    sequence += 1;
  };
  return {
    whole: (reply) => whole("completed", [item("completed", [part(reply.text)])], reply),
    begin() {
      emit("response.created", { response: whole("in_progress", []) });
      emit("response.output_item.added", { output_index: 0, item: item("in_progress", []) });
      emit("response.content_part.added", { ...place, part: part("") });
    },
    text(delta) {
      said += delta;
      emit("response.output_text.delta", { ...place, delta });
    },
    end(reply) {
      const done = item("completed", [part(said)]);
      emit("response.output_text.done", { ...place, text: said });
      emit("response.content_part.done", { ...place, part: part(said) });
      emit("response.output_item.done", { output_index: 0, item: done });
      emit("response.completed", { response: whole("completed", [done], reply) });
    },
  };
};
