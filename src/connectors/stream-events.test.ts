// The documented shapes of events and messages, held by the compiler: each table below stops the
// type check when a member is missing, misspelt or has other fields.

import { expect, it } from "vitest";
import type {
  AuthMode,
  Connector,
  ContextMessage,
  ResolvedAuth,
  StreamEvent,
} from "../core/connector.js";
import { ConnectorRegistry } from "./registry.js";

const events = {
  start: { type: "start" },
  text_delta: { type: "text_delta", delta: "Hel" },
  text_end: { type: "text_end", content: "Hello" },
  thinking_delta: { type: "thinking_delta", delta: "hm" },
  thinking_end: { type: "thinking_end", content: "hm" },
  toolcall_start: { type: "toolcall_start", id: "call_1" },
  toolcall_delta: { type: "toolcall_delta", delta: '{"path"', id: "call_1" },
  toolcall_end: {
    type: "toolcall_end",
    toolCall: { id: "call_1", name: "read", arguments: { path: "a" } },
  },
  done: { type: "done", stopReason: "toolUse", usage: { inputTokens: 3, outputTokens: 5 } },
  error: { type: "error", error: "overloaded" },
} satisfies { [Type in StreamEvent["type"]]: Extract<StreamEvent, { type: Type }> };

const conversation: ContextMessage[] = [
  { role: "user", content: "Read it" },
  {
    role: "user",
    content: [
      { type: "text", text: "and this" },
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "I read it." },
      { type: "toolCall", id: "call_1", name: "read", arguments: { path: "a" } },
    ],
  },
  { role: "assistant", content: null },
  {
    role: "toolResult",
    toolCallId: "call_1",
    toolName: "read",
    content: [{ type: "text", text: "…" }],
    isError: false,
  },
];

const credentials = {
  "api-key": { mode: "api-key", apiKey: "k", source: "explicit" },
  oauth: { mode: "oauth", apiKey: "k", source: "env:TOKEN" },
  token: { mode: "token", apiKey: "k", source: "env:TOKEN" },
  "aws-sdk": { mode: "aws-sdk", profileId: "work" },
  none: { mode: "none" },
  mixed: { mode: "mixed", apiKey: "k" },
  unknown: { mode: "unknown" },
} satisfies { [Mode in AuthMode]: ResolvedAuth & { mode: Mode } };

/** Compiles only while every event has a case here. */
function describeEvent(event: StreamEvent): string {
  switch (event.type) {
    case "start":
      return "start";
    case "text_delta":
    case "thinking_delta":
    case "toolcall_delta":
      return event.delta;
    case "text_end":
    case "thinking_end":
      return event.content;
    case "toolcall_start":
      return event.id ?? "";
    case "toolcall_end":
      return event.toolCall.name;
    case "done":
      return event.stopReason;
    case "error":
      return event.error;
    default:
      return event satisfies never;
  }
}

const scripted: Connector = {
  id: "scripted",
  label: "Scripted",
  provider: "scripted",
  api: "scripted-api",
  models: [{ id: "one", api: "scripted-api", provider: "scripted" }],
  async *stream(_model, context, options) {
    yield events.start;
    yield { type: "text_delta", delta: `${context.messages.length} ${options.apiKey ?? "no key"}` };
    yield events.done;
  },
};

it("a reader can tell the ten documented events apart", () => {
  expect(Object.values(events).map(describeEvent)).toEqual([
    "start",
    "Hel",
    "Hello",
    "hm",
    "hm",
    "call_1",
    '{"path"',
    "read",
    "toolUse",
    "overloaded",
  ]);
});

it("a registered connector gets the whole conversation and an optional key", async () => {
  const registry = new ConnectorRegistry();
  registry.register(scripted);
  const connector = registry.getByProvider("scripted");
  const [model] = connector?.models ?? [];
  expect(model).toBeDefined();
  if (!connector || !model) return;
  const told: string[] = [];
  const auth: ResolvedAuth | undefined = credentials.none;
  const context = { systemPrompt: "Be short.", messages: conversation };
  for await (const event of connector.stream(model, context, { apiKey: auth.apiKey })) {
    told.push(describeEvent(event));
  }
  expect(told).toEqual(["start", "5 no key", "toolUse"]);
});
