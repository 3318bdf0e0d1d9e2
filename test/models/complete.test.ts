// The models port: one answer, from the first model that gives it.

import { describe, expect, it } from "vitest";
import { createModels } from "../../src/connectors/complete.js";
import { createScriptedConnector, type ScriptedTurn } from "../../src/connectors/debug/scripted.js";
import { ConnectorRegistry } from "../../src/connectors/index.js";
import type { Net } from "../../src/core/index.js";

const refuse = () => Promise.reject(new Error("no network in this test"));
const net: Net = {
  fetch: refuse,
  stream: refuse,
  socket: refuse,
  check: refuse,
  close: async () => undefined,
};
const environment = { read: () => undefined };

function createSetting(
  scripts: Record<string, readonly ScriptedTurn[]>,
  input: ("text" | "image")[] = ["text", "image"],
) {
  const connectors = new ConnectorRegistry();
  const made = Object.entries(scripts).map(([provider, turns]) => {
    const connector = createScriptedConnector(turns, { provider, id: "m", input });
    connectors.register(connector);
    return connector;
  });
  const [primary = "", ...fallbacks] = Object.keys(scripts).map((provider) => `${provider}/m`);
  const config = { agents: { defaults: { model: { primary, fallbacks } } } };
  return { made, models: createModels({ config, net, environment, connectors }) };
}

const request = () => ({
  messages: [{ role: "user", content: "?" } as const],
  signal: new AbortController().signal,
});

describe("createModels", () => {
  it("asks the first model, and the next only when it fails for good", async () => {
    const { models, made } = createSetting({
      one: [{ error: { reason: "auth_failed", message: "one: bad key" } }],
      two: [{ text: "hello", usage: { inputTokens: 1 } }],
      three: [{ text: "never asked" }],
    });
    const answer = await models.complete(request());
    expect(answer).toEqual({
      text: "hello",
      model: "two/m",
      usage: { inputTokens: 1 },
      failed: [{ model: "one/m", error: "one: bad key" }],
    });
    expect(made.map(({ requests }) => requests.length)).toEqual([1, 1, 0]);
  });

  it("asks no model that is declared without images about one", async () => {
    const { models, made } = createSetting({ blind: [{ text: "a cat" }] }, ["text"]);
    const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;
    const messages = [{ role: "user" as const, content: [image] }];
    const asked = models.complete({
      ...{ ...request(), messages, purpose: "image", model: "blind/m" },
    });
    await expect(asked).rejects.toMatchObject({
      reason: "model_failed",
      message: expect.stringContaining("blind/m does not accept images."),
    });
    expect(made[0]?.requests).toEqual([]);
  });

  it("asks again at most twice when the fault may pass", async () => {
    const busy = { error: { reason: "overloaded", retryAfterMs: 1 } } as const;
    const { models, made } = createSetting({ one: [busy, busy, { text: "third time" }] });
    expect((await models.complete(request())).text).toBe("third time");
    const stubborn = createSetting({ one: [busy, busy, busy, { text: "too late" }] });
    await expect(stubborn.models.complete(request())).rejects.toMatchObject({
      code: "failed",
      reason: "model_failed",
    });
    expect([made[0]?.requests.length, stubborn.made[0]?.requests.length]).toEqual([3, 3]);
  });

  it("does not wait for a provider that asks for a long pause", async () => {
    const later = { error: { reason: "rate_limited", retryAfterMs: 3_600_000 } } as const;
    const { models } = createSetting({ one: [later], two: [{ text: "now" }] });
    expect((await models.complete(request())).model).toBe("two/m");
  });

  it("uses a named model alone", async () => {
    const { models } = createSetting({ one: [{ text: "1" }], two: [{ text: "2" }] });
    expect(await models.complete({ ...request(), model: "two/m" })).toMatchObject({ text: "2" });
  });

  it("ends by its own deadline and by the caller's signal, as different errors", async () => {
    const until = new Promise(() => undefined);
    const slow = createSetting({
      one: [
        { text: "…", until },
        { text: "…", until },
      ],
    });
    await expect(slow.models.complete({ ...request(), timeoutMs: 20 })).rejects.toMatchObject({
      code: "timeout",
    });
    const controller = new AbortController();
    const waiting = slow.models.complete({ ...request(), signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
  });

  it("says what to set when there is no model", async () => {
    const models = createModels({ config: {}, net, environment });
    await expect(models.complete(request())).rejects.toMatchObject({
      code: "unavailable",
      reason: "no_model",
      message: expect.stringContaining("ANTHROPIC_API_KEY"),
    });
  });
});
