// The AI SDK's providers read the same mock server through `fromLanguageModel`, and our connectors
// must find the same texts, calls and counts. Known differences are listed.

import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromLanguageModel } from "../../src/connectors/index.js";
import type { StreamEvent } from "../../src/core/connector.js";
import type { WireName } from "../fakes/model-server/answers.js";
import { createModelSetting, type ModelSetting, WIRE_NAMES } from "./model-setting.js";

let setting: ModelSetting;
beforeAll(async () => {
  setting = await createModelSetting();
});
afterAll(() => setting.close());

function createTheirs(wire: WireName, scenario: string) {
  const apiKey = "sk-test-0123456789abcdef";
  const baseURL = setting.server.baseUrl(wire);
  const makers = {
    chat: () => createOpenAI({ apiKey, baseURL }).chat(scenario),
    responses: () => createOpenAI({ apiKey, baseURL }).responses(scenario),
    anthropic: () => createAnthropic({ apiKey, baseURL: `${baseURL}/v1` })(scenario),
    gemini: () => createGoogleGenerativeAI({ apiKey, baseURL })(scenario),
  };
  return fromLanguageModel(makers[wire]());
}

async function askTheirs(wire: WireName, scenario: string): Promise<StreamEvent[]> {
  const connector = createTheirs(wire, scenario);
  const [model] = connector.models;
  if (model === undefined) throw new Error("no model");
  const context = {
    systemPrompt: "Be brief.",
    messages: [{ role: "user", content: "?" } as const],
  };
  const events: StreamEvent[] = [];
  for await (const event of connector.stream(model, context, {})) events.push(event);
  return events;
}

/** What an agent would see. */
function summarize(events: readonly StreamEvent[]) {
  const end = events.at(-1);
  return {
    text: events.flatMap((event) => (event.type === "text_end" ? [event.content] : [])).join(""),
    thinking: events
      .flatMap((event) => (event.type === "thinking_end" && !event.redacted ? [event.content] : []))
      .join(""),
    calls: events.flatMap((event) =>
      event.type === "toolcall_end" ? [[event.toolCall.name, event.toolCall.arguments]] : [],
    ),
    stop: end?.type === "done" ? end.stopReason : end?.type,
    inputTokens: end?.type === "done" ? end.usage?.inputTokens : undefined,
    outputTokens: end?.type === "done" ? end.usage?.outputTokens : undefined,
    cacheRead: end?.type === "done" ? (end.usage?.cacheReadTokens ?? 0) : undefined,
  };
}

/** Their chat reader drops `reasoning_content`. */
const DIFFERENCES: Record<string, Partial<ReturnType<typeof summarize>>> = {
  "chat thinking": { thinking: "" },
};

describe.each(WIRE_NAMES)("%s", (wire) => {
  it.each(["text", "calls", "thinking", "cached", "no-arguments", "length"])(
    "is read alike by both: %s",
    async (scenario) => {
      const ours = summarize(await setting.ask({ wire, scenario }));
      const theirs = summarize(await askTheirs(wire, scenario));
      expect(theirs).toEqual({ ...ours, ...DIFFERENCES[`${wire} ${scenario}`] });
    },
  );

  it.each([
    ["rate-limit", "rate_limited"],
    ["overflow", "context_overflow"],
    ["bad-key", "auth_failed"],
  ])("fails alike: %s", async (scenario, reason) => {
    const end = (await askTheirs(wire, scenario)).at(-1);
    expect(end).toMatchObject({ type: "error", reason });
    if (scenario === "rate-limit") expect(end).toMatchObject({ retryAfterMs: 7_000 });
  });
});

describe("fromLanguageModel", () => {
  const part = { id: "1" };
  const stream = async function* () {
    yield { type: "stream-start", warnings: [] };
    yield { type: "reasoning-start", ...part };
    yield { type: "reasoning-delta", ...part, delta: "hm" };
    yield { type: "reasoning-end", ...part, providerMetadata: { x: { signature: "s" } } };
    yield { type: "tool-call", toolCallId: "c1", toolName: "read", input: '{"path":"a"}' };
    yield {
      type: "finish",
      finishReason: "tool-calls",
      usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7, cachedInputTokens: 2 },
    };
  };

  it("reads a V2 model, and sends back what it signed", async () => {
    const prompts: unknown[] = [];
    const model = {
      specificationVersion: "v2",
      provider: "acme.chat",
      modelId: "m1",
      doStream: async (options: { prompt: unknown }) => {
        prompts.push(options.prompt);
        return { stream: stream() };
      },
    };
    const connector = fromLanguageModel(model, { contextWindow: 1000 });
    const [descriptor] = connector.models;
    expect(descriptor).toEqual({ id: "m1", api: "ai-sdk", provider: "acme", contextWindow: 1000 });
    if (descriptor === undefined) return;
    const events: StreamEvent[] = [];
    for await (const event of connector.stream(descriptor, { messages: [] }, {}))
      events.push(event);
    const thinking = events.find((event) => event.type === "thinking_end");
    expect(thinking).toEqual({
      type: "thinking_end",
      content: "hm",
      signature: '{"x":{"signature":"s"}}',
    });
    expect(events.at(-1)).toEqual({
      type: "done",
      stopReason: "toolUse",
      usage: { inputTokens: 3, outputTokens: 4, cacheReadTokens: 2 },
    });
    const signature = thinking?.type === "thinking_end" ? (thinking.signature ?? "") : "";
    const again = {
      messages: [
        {
          role: "assistant" as const,
          content: [{ type: "thinking" as const, thinking: "hm", signature }],
        },
      ],
    };
    for await (const event of connector.stream(descriptor, again, {})) events.push(event);
    expect(prompts[1]).toEqual([
      {
        role: "assistant",
        content: [{ type: "reasoning", text: "hm", providerOptions: { x: { signature: "s" } } }],
      },
    ]);
  });

  it("refuses what is not a model of the AI SDK", () => {
    expect(() =>
      Reflect.apply(fromLanguageModel, undefined, [{ specificationVersion: "v1" }]),
    ).toThrow('received version "v1"');
  });
});
