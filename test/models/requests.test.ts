// What is sent to each provider: read from what the mock server received.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContextMessage, StreamContext } from "../../src/core/connector.js";
import { createModelSetting, type ModelSetting, WIRE_NAMES } from "./model-setting.js";

let setting: ModelSetting;
beforeAll(async () => {
  setting = await createModelSetting();
});
afterAll(() => setting.close());

type Asking = Parameters<ModelSetting["ask"]>[0];

async function send(asking: Asking) {
  await setting.ask(asking);
  return lastRequest();
}

function lastRequest() {
  const request = setting.server.requests.at(-1);
  if (request === undefined) throw new Error("nothing was sent");
  return request;
}

const OAUTH_KEY = "sk-ant-oat01-abcdefgh";
const origin = (api: string, provider: string, model: string) => ({ api, provider, model });

function conversation(from: { api: string; provider: string; model: string }): ContextMessage[] {
  return [
    { role: "user", content: "Read a.txt" },
    {
      role: "assistant",
      origin: from,
      content: [
        { type: "thinking", thinking: "hm", signature: '{"id":"rs_1","encrypted_content":"enc"}' },
        { type: "text", text: "Reading." },
        {
          ...{ type: "toolCall", id: "run.1|fc_9", name: "read", arguments: { path: "a.txt" } },
          signature: "sig-call",
        },
      ],
    },
    {
      ...{ role: "toolResult", toolCallId: "run.1|fc_9", toolName: "read", isError: false },
      content: [{ type: "text", text: "hello" }],
    },
    { role: "user", content: "And now?" },
  ];
}

const OWN = {
  chat: origin("openai-completions", "mock-chat", "text"),
  responses: origin("openai-responses", "mock-responses", "text"),
  anthropic: origin("anthropic-messages", "mock-anthropic", "text"),
  gemini: origin("google-generative-ai", "mock-gemini", "text"),
};

describe("Anthropic", () => {
  const wire = "anthropic";

  it("sends thinking back first, results directly behind their call, and joins turns of one role", async () => {
    const context = { messages: conversation(OWN.anthropic) };
    const { body } = await send({ wire, scenario: "text", context, options: { cache: false } });
    const id = expect.stringMatching(/^[A-Za-z0-9]{9}$/);
    expect(body.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Read a.txt" }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: expect.stringContaining("rs_1") },
          { type: "text", text: "Reading." },
          { type: "tool_use", id, name: "read", input: { path: "a.txt" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: id, content: [{ type: "text", text: "hello" }] },
          { type: "text", text: "And now?" },
        ],
      },
    ]);
    const text = JSON.stringify(body);
    const ids = [...text.matchAll(/"(?:id|tool_use_id)":"([^"]+)"/g)].map(([, found]) => found);
    expect(new Set(ids).size).toBe(1);
  });

  it("marks tools, system and the last two messages for the prompt cache", async () => {
    const { body } = await send({ wire, scenario: "text" });
    const marks = JSON.stringify(body).match(/cache_control/g) ?? [];
    expect(marks).toHaveLength(3);
    const plain = await send({ wire, scenario: "text", options: { cache: false } });
    expect(JSON.stringify(plain.body)).not.toContain("cache_control");
  });

  it("keeps the bytes of earlier messages when the conversation grows", async () => {
    const options = { cache: false };
    const messages = conversation(OWN.anthropic);
    const short = await send({ wire, scenario: "text", context: { messages }, options });
    const longer: StreamContext = {
      messages: [
        ...messages,
        { role: "assistant", content: "Done." },
        { role: "user", content: "Ok" },
      ],
    };
    const long = await send({ wire, scenario: "text", context: longer, options });
    const before = JSON.stringify(short.body.messages).slice(0, -1);
    expect(JSON.stringify(long.body.messages).startsWith(before)).toBe(true);
  });

  it("speaks Claude Code's names with a subscription token and maps them back", async () => {
    const options = { apiKey: OAUTH_KEY };
    const events = await setting.ask({ wire, scenario: "renamed-call", options });
    const { headers, body } = lastRequest();
    expect(headers.authorization).toBe(`Bearer ${OAUTH_KEY}`);
    expect(headers["x-api-key"]).toBeUndefined();
    expect(headers["anthropic-beta"]).toContain("oauth");
    expect(body.tools).toMatchObject([{ name: "Read" }, { name: "list" }]);
    expect(body.system).toMatchObject([{ text: expect.stringContaining("Claude Code") }, {}]);
    const call = events.find((event) => event.type === "toolcall_end");
    expect(call).toMatchObject({ toolCall: { name: "read", arguments: { path: "a" } } });
  });

  it("uses plain names and the key header with an API key", async () => {
    const { headers, body } = await send({ wire, scenario: "text" });
    expect(headers["x-api-key"]).toMatch(/^sk-test/);
    expect(headers.authorization).toBeUndefined();
    expect(body.tools).toMatchObject([{ name: "read" }, { name: "list" }]);
  });

  it("asks for thinking in the form that the model takes", async () => {
    const options = { reasoning: "medium", maxTokens: 10_000, temperature: 1 } as const;
    const budget = await send({ wire, scenario: "text", options });
    expect(budget.body).toMatchObject({ thinking: { type: "enabled", budget_tokens: 8_192 } });
    expect(budget.body).not.toHaveProperty("temperature");
    const model = { compat: { thinking: "adaptive" } };
    const adaptive = await send({ wire, scenario: "text", options, model });
    expect(adaptive.body).toMatchObject({
      thinking: { type: "adaptive" },
      output_config: { effort: "medium" },
    });
  });
});

describe("OpenAI chat", () => {
  it("follows the compat settings of a service", async () => {
    const model = {
      compat: {
        maxTokensField: "max_completion_tokens",
        supportsUsageInStreaming: false,
        requiresToolResultName: true,
        requiresMistralToolIds: true,
      },
    };
    const context = { messages: conversation(OWN.chat) };
    const options = { maxTokens: 7 };
    const { body } = await send({ wire: "chat", scenario: "text", model, context, options });
    expect(body).toMatchObject({ max_completion_tokens: 7 });
    expect(body).not.toHaveProperty("stream_options");
    const id = expect.stringMatching(/^[A-Za-z0-9]{9}$/);
    expect(body.messages).toMatchObject([
      { role: "user", content: "Read a.txt" },
      { role: "assistant", content: "Reading.", tool_calls: [{ id, function: { name: "read" } }] },
      { role: "tool", tool_call_id: id, name: "read", content: "hello" },
      { role: "user", content: "And now?" },
    ]);
  });
});

describe("OpenAI responses", () => {
  it("stores nothing and sends encrypted reasoning back before its call", async () => {
    const context = { messages: conversation(OWN.responses) };
    const { body } = await send({ wire: "responses", scenario: "text", context });
    expect(body).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] });
    expect(body.input).toMatchObject([
      { role: "user" },
      { type: "reasoning", id: "rs_1", encrypted_content: "enc" },
      { type: "message", role: "assistant" },
      { type: "function_call", name: "read", arguments: '{"path":"a.txt"}' },
      { type: "function_call_output", output: "hello" },
      { role: "user" },
    ]);
  });
});

describe("Gemini", () => {
  it("sends a signature back in its own part, and a stand-in for calls of other models", async () => {
    const wire = "gemini";
    const own = { messages: conversation(OWN.gemini) };
    const first = await send({ wire, scenario: "text", context: own });
    expect(JSON.stringify(first.body.contents)).toContain('"thoughtSignature":"sig-call"');
    const foreign = { messages: conversation(OWN.anthropic) };
    const second = await send({ wire, scenario: "text", context: foreign });
    const text = JSON.stringify(second.body.contents);
    expect(text).toContain('"thoughtSignature":"skip_thought_signature_validator"');
    expect(text).not.toContain("sig-call");
    expect(second.headers["x-goog-api-key"]).toMatch(/^sk-test/);
  });
});

describe.each(WIRE_NAMES)("a conversation of another provider goes on with %s", (wire) => {
  it("without its thinking and signatures, and with one id for a call and its result", async () => {
    const other = wire === "anthropic" ? OWN.responses : OWN.anthropic;
    const { body } = await send({
      wire,
      scenario: "text",
      context: { messages: conversation(other) },
    });
    const text = JSON.stringify(body);
    expect(text).not.toContain('"hm"');
    expect(text).not.toContain("sig-call");
    expect(text).not.toContain("run.1|fc_9");
    expect(text).toContain("Reading.");
    expect(text).toContain("hello");
  });

  it("with images as bytes, and words in their place for a model that does not see", async () => {
    const image = { type: "image", data: "aGVsbG8=", mimeType: "image/png" } as const;
    const context: StreamContext = {
      messages: [{ role: "user", content: [{ type: "text", text: "Look" }, image] }],
    };
    const sees = await send({ wire, scenario: "text", context });
    expect(JSON.stringify(sees.body)).toContain("aGVsbG8=");
    const model = { input: ["text" as const] };
    const blind = await send({ wire, scenario: "text", context, model });
    expect(JSON.stringify(blind.body)).toContain("does not accept images");
    expect(JSON.stringify(blind.body)).not.toContain("aGVsbG8=");
  });
});
