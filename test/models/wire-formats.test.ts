// Every scenario of the mock model server in all four wire formats, over a real socket: the right
// events, in order, and exactly one end.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StreamEvent } from "../../src/core/connector.js";
import {
  API_KEY,
  createModelSetting,
  listEnds,
  type ModelSetting,
  WIRE_NAMES,
} from "./model-setting.js";

let setting: ModelSetting;
beforeAll(async () => {
  setting = await createModelSetting();
});
afterAll(() => setting.close());

function countEnds(events: readonly StreamEvent[]): number {
  return events.filter(({ type }) => type === "done" || type === "error").length;
}

function joinDeltas(events: readonly StreamEvent[], type: StreamEvent["type"]): string {
  return events
    .flatMap((event) => (event.type === type && "delta" in event ? [event.delta] : []))
    .join("");
}

const TEXT = "Hello, wörld 🌍";
const read = (id: string) => ({ id, name: "read", arguments: { path: "a.txt" } });

describe.each(WIRE_NAMES)("%s", (wire) => {
  const ask = (scenario: string) => setting.ask({ wire, scenario });
  const isGemini = wire === "gemini";

  it.each(["text", "small-chunks"])("streams a text (%s)", async (scenario) => {
    const events = await ask(scenario);
    expect(events[0]).toEqual({ type: "start" });
    expect(joinDeltas(events, "text_delta")).toBe(TEXT);
    expect(listEnds(events)).toMatchObject([
      { type: "text_end", content: TEXT },
      { type: "done", stopReason: "stop", usage: { inputTokens: 10, outputTokens: 5 } },
    ]);
  });

  it("joins two parallel calls whose arguments come in pieces", async () => {
    const events = await ask("calls");
    const calls = events.flatMap((event) =>
      event.type === "toolcall_end" ? [event.toolCall] : [],
    );
    const ids = isGemini ? ["call_0", "call_1"] : ["toolu_A1", "toolu_B2"];
    expect(calls).toMatchObject([read(ids[0] ?? ""), { id: ids[1], name: "list", arguments: {} }]);
    expect(events.filter(({ type }) => type === "toolcall_start")).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ type: "done", stopReason: "toolUse" });
    expect(countEnds(events)).toBe(1);
  });

  it("keeps thinking apart from the text, with the signature where it came", async () => {
    const ends = listEnds(await ask("thinking"));
    const thinking = { type: "thinking_end", content: "I should look." };
    const signed = {
      chat: [thinking],
      responses: [{ ...thinking, signature: '{"id":"rs_1","encrypted_content":"sig-thinking"}' }],
      anthropic: [
        { ...thinking, signature: "sig-thinking" },
        { type: "thinking_end", content: "opaque-data", redacted: true },
      ],
      gemini: [thinking],
    }[wire];
    const id = isGemini ? "call_0" : "toolu_A1";
    const toolCall = { ...read(id), ...(isGemini && { signature: "sig-call" }) };
    expect(ends.slice(0, -1)).toEqual([
      ...signed,
      { type: "text_end", content: "Looking." },
      { type: "toolcall_end", toolCall },
    ]);
    expect(ends.at(-1)).toMatchObject({ stopReason: "toolUse", usage: { outputTokens: 30 } });
  });

  it("counts cached tokens as input and names them", async () => {
    expect((await ask("cached")).at(-1)).toMatchObject({
      usage: { inputTokens: 117, cacheReadTokens: 100 },
    });
  });

  it("passes on broken arguments as the text they are", async () => {
    const call = (await ask("broken-json")).find((event) => event.type === "toolcall_end");
    const broken = { arguments: {}, argumentsText: '{"path": "a' };
    expect(call).toMatchObject({ toolCall: isGemini ? { arguments: {} } : broken });
  });

  it("reads a call without arguments", async () => {
    const call = (await ask("no-arguments")).find((event) => event.type === "toolcall_end");
    expect(call).toMatchObject({ toolCall: { name: "list", arguments: {} } });
    expect(call).not.toHaveProperty("toolCall.argumentsText");
  });

  it("says when the answer was cut by its length", async () => {
    expect((await ask("length")).at(-1)).toMatchObject({ type: "done", stopReason: "length" });
  });

  it.each([
    ["refused", "content_refused"],
    ["no-end", "stream_cut"],
    ["drop", "stream_cut"],
    ["inner-error", wire === "anthropic" ? "overloaded" : "provider_failed"],
    ["overloaded", "overloaded"],
    ["bad-gateway", "provider_failed"],
    ["overflow", "context_overflow"],
    ["quota", "quota_exhausted"],
    ["bad-key", "auth_failed"],
    ["unknown-model", "model_unknown"],
    ["bad-request", "request_refused"],
    ["rate-limit", "rate_limited"],
  ])("ends %s with one error: %s", async (scenario, reason) => {
    const events = await ask(scenario);
    expect(events.at(-1)).toMatchObject({ type: "error", reason });
    expect(countEnds(events)).toBe(1);
  });

  it.each([
    ["rate-limit", 7_000],
    ["rate-limit-ms", 1_500],
    ["rate-limit-date", 7_000],
    ["rate-limit-body", isGemini ? 7_000 : undefined],
  ])("reads how long to wait (%s)", async (scenario, retryAfterMs) => {
    const end = (await ask(scenario)).at(-1);
    expect(end).toMatchObject({ reason: "rate_limited", status: 429 });
    expect(end && "retryAfterMs" in end ? end.retryAfterMs : undefined).toBe(retryAfterMs);
  });

  it("keeps the key out of every error", async () => {
    const events = await ask("bad-key");
    expect(JSON.stringify(events)).not.toContain(API_KEY);
    expect(events.at(-1)).toMatchObject({ error: expect.stringContaining(`mock-${wire}/bad-key`) });
  });

  it("ends with one error when it is aborted, before and during the answer", async () => {
    const before = await setting.ask({
      ...{ wire, scenario: "text" },
      options: { signal: AbortSignal.abort() },
    });
    expect(before).toMatchObject([{ type: "start" }, { type: "error", reason: "aborted" }]);
    const controller = new AbortController();
    const asking = { wire, scenario: "stall" } as const;
    const { signal } = controller;
    const events: StreamEvent[] = [];
    const stream = setting
      .connector(wire)
      .stream(setting.model(asking), { messages: [{ role: "user", content: "?" }] }, { signal });
    for await (const event of stream) {
      events.push(event);
      if (event.type === "start") setTimeout(() => controller.abort(), 50);
    }
    expect(events.at(-1)).toMatchObject({ type: "error", reason: "aborted" });
    expect(countEnds(events)).toBe(1);
  });
});

it("names the malformed call of Gemini", async () => {
  const events = await setting.ask({ wire: "gemini", scenario: "malformed" });
  expect(events.at(-1)).toMatchObject({ type: "error", reason: "call_malformed" });
});

it("reports a server that cannot be reached", async () => {
  const model = { baseUrl: "http://127.0.0.1:9/v1" };
  const events = await setting.ask({ wire: "chat", scenario: "text", model });
  expect(events.at(-1)).toMatchObject({ type: "error", reason: "connection_failed" });
});

it.each(["stall", "stall-headers"])(
  "closes a silent connection after the idle limit (%s)",
  async (scenario) => {
    const impatient = await createModelSetting({ idleMs: 300 });
    try {
      const events = await impatient.ask({ wire: "chat", scenario });
      expect(events.at(-1)).toMatchObject({ type: "error", reason: "stream_stalled" });
      expect(countEnds(events)).toBe(1);
      await impatient.server.stallEnded;
    } finally {
      await impatient.close();
    }
  },
);

it("closes the connection when the reader leaves early", async () => {
  const own = await createModelSetting();
  try {
    const asking = { wire: "anthropic", scenario: "stall" } as const;
    own.server.setAnswer("stall", {
      text: ["a", "b", "c", "d", "e", "f"],
      stop: "stop",
      usage: { fresh: 1, cacheRead: 0, cacheWrite: 0, output: 1, reasoning: 0 },
    });
    for await (const event of own
      .connector("anthropic")
      .stream(own.model(asking), { messages: [] }, {})) {
      if (event.type === "text_delta") break;
    }
    await own.server.stallEnded;
    expect(own.server.requests).toHaveLength(1);
  } finally {
    await own.close();
  }
});
