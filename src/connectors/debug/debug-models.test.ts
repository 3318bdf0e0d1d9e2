// The debug models answer as documented, always the same, without a network.

import { describe, expect, it } from "vitest";
import type { ContextMessage, StreamContext, StreamEvent } from "../../core/connector.js";
import { createDebugConnector } from "./debug-models.js";
import { createScriptedConnector } from "./scripted.js";

async function ask(id: string, context: StreamContext, signal?: AbortSignal) {
  const connector = createDebugConnector("debug");
  const events: StreamEvent[] = [];
  const model = { id, provider: "debug", api: "debug" };
  for await (const event of connector.stream(model, context, { signal })) events.push(event);
  return events;
}

const textOf = (events: readonly StreamEvent[]) =>
  events.flatMap((event) => (event.type === "text_end" ? [event.content] : [])).join("");

const context: StreamContext = {
  systemPrompt: "Be brief.",
  messages: [
    { role: "user", content: "first" },
    { role: "assistant", content: "ok" },
    { role: "user", content: [{ type: "text", text: "Hello there" }] },
  ],
};

describe("debug models", () => {
  it("are the eight documented ones, and echo only under our own name", () => {
    const documented = createDebugConnector("clawfice-debug").models.map(({ id }) => id);
    expect(documented).toHaveLength(8);
    const own = createDebugConnector("debug").models.map(({ id }) => id);
    expect(own).toEqual([...documented, "echo"]);
  });

  it.each([
    ["sys-echo-1", "Be brief."],
    ["parrot-1", "Hello there"],
    ["silent-1", "(silent)"],
    ["upper-parrot-1", "HELLO THERE"],
    ["tagged-parrot-1", "[relay] Hello there"],
    ["inspect-echo-1", "[inspect] messages: 3\nlast_user: Hello there"],
    ["thinking-stream-1", "Hello there"],
    ["echo", "You said: Hello there"],
  ])("%s answers %j", async (id, text) => {
    const events = await ask(id, context);
    expect(textOf(events)).toBe(text);
    const deltas = events.flatMap((event) => (event.type === "text_delta" ? [event.delta] : []));
    expect(deltas.join("")).toBe(text);
    expect(events.at(-1)).toMatchObject({ type: "done", stopReason: "stop" });
  });

  it("dummy-echo-1 quotes the message after a line that depends on it alone", async () => {
    const answers = await Promise.all([ask("dummy-echo-1", context), ask("dummy-echo-1", context)]);
    const [one, other] = answers.map(textOf);
    expect(one).toBe(other);
    expect(one).toMatch(/^\S.* You said: "Hello there"$/);
  });

  it("thinking-stream-1 thinks before it answers", async () => {
    const types = (await ask("thinking-stream-1", context)).map(({ type }) => type);
    expect(types.indexOf("thinking_end")).toBeLessThan(types.indexOf("text_delta"));
    expect(types).toContain("thinking_delta");
  });

  it("count a token for four characters", async () => {
    const events = await ask("parrot-1", { messages: [{ role: "user", content: "12345678" }] });
    expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 2, outputTokens: 2 } });
  });

  it("echo calls the tool a message asks for and repeats its answer", async () => {
    const asked = { role: "user", content: 'call read {"path": "a"}' } as const;
    const events = await ask("echo", { messages: [asked] });
    const call = events.find((event) => event.type === "toolcall_end");
    expect(call).toMatchObject({ toolCall: { name: "read", arguments: { path: "a" } } });
    expect(events.at(-1)).toMatchObject({ stopReason: "toolUse" });
    const result: ContextMessage = {
      role: "toolResult",
      toolCallId: "call_1",
      toolName: "read",
      isError: false,
      content: [{ type: "text", text: "hi" }],
    };
    const second = await ask("echo", { messages: [asked, result] });
    expect(textOf(second)).toBe("read answered: hi");
  });

  it("end with one error for an unknown model and for an abort", async () => {
    expect((await ask("nope", context)).at(-1)).toMatchObject({ reason: "model_unknown" });
    const events = await ask("parrot-1", context, AbortSignal.abort());
    expect(events.filter(({ type }) => type === "error")).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ reason: "aborted" });
  });
});

describe("the scripted connector", () => {
  it("answers turn by turn and keeps what it was asked", async () => {
    const connector = createScriptedConnector([
      { text: "Let me see", calls: [{ name: "read", arguments: { path: "a" } }] },
      { error: { reason: "rate_limited", retryAfterMs: 5 } },
    ]);
    const [model] = connector.models;
    if (!model) throw new Error("no model");
    const ends: (StreamEvent | undefined)[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const events: StreamEvent[] = [];
      for await (const event of connector.stream(model, context, {})) events.push(event);
      ends.push(events.at(-1));
    }
    expect(ends).toMatchObject([
      { type: "done", stopReason: "toolUse" },
      { type: "error", reason: "rate_limited", retryAfterMs: 5 },
      { type: "done", stopReason: "stop" },
    ]);
    expect(connector.requests).toHaveLength(3);
    expect(connector.requests[0]?.context).toEqual(context);
  });
});
