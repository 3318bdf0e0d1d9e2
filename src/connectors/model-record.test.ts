// Model descriptors to records and back.

import { describe, expect, it } from "vitest";
import type { ModelDescriptor } from "../core/connector.js";
import { ToolInputError } from "../core/index.js";
import { deserializeModel, serializeModel } from "./model-record.js";

const fullModel: ModelDescriptor = {
  id: "big-1",
  name: "Big 1",
  api: "anthropic-messages",
  provider: "acme",
  baseUrl: "https://models.example",
  reasoning: true,
  input: ["text", "image"],
  cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  contextWindow: 200_000,
  maxTokens: 32_768,
  headers: { "x-version": "1" },
  compat: { streaming: true, nested: { deep: [1] } },
};
const smallRecord = { id: "small-1", api: "custom", provider: "acme" };

describe("serializeModel", () => {
  it("writes snake_case keys and passes the other fields through", () => {
    expect(serializeModel(fullModel)).toEqual({
      id: "big-1",
      name: "Big 1",
      api: "anthropic-messages",
      provider: "acme",
      base_url: "https://models.example",
      reasoning: true,
      input: ["text", "image"],
      cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
      context_window: 200_000,
      max_tokens: 32_768,
      headers: { "x-version": "1" },
      compat: { streaming: true, nested: { deep: [1] } },
    });
  });

  it("leaves absent fields out", () => {
    expect(Object.keys(serializeModel(smallRecord)).sort()).toEqual(["api", "id", "provider"]);
  });
});

describe("deserializeModel", () => {
  it("gives back what was serialized, also through JSON", () => {
    expect(deserializeModel(serializeModel(fullModel))).toEqual(fullModel);
    expect(deserializeModel(JSON.parse(JSON.stringify(serializeModel(fullModel))))).toEqual(
      fullModel,
    );
  });

  it("keeps false and zero, and leaves absent and unknown fields out", () => {
    const record = { ...smallRecord, reasoning: false, max_tokens: 0, tier: "gold" };
    expect(deserializeModel(record)).toEqual({ ...smallRecord, reasoning: false, maxTokens: 0 });
    expect(Object.keys(deserializeModel(smallRecord)).sort()).toEqual(["api", "id", "provider"]);
  });

  it("does not let a record change the prototype of what it makes", () => {
    const record = JSON.parse(
      '{"id":"a","api":"b","provider":"c","headers":{"__proto__":"x"},"__proto__":{"name":"n"}}',
    );
    const model = deserializeModel(record);
    expect(model.name).toBeUndefined();
    expect(Object.getPrototypeOf(model.headers)).toBe(Object.prototype);
  });

  it.each([
    ["model", null],
    ["model", [smallRecord]],
    ["model.id", { ...smallRecord, id: "" }],
    ["model.api", { id: "a", provider: "b" }],
    ["model.provider", { ...smallRecord, provider: 7 }],
    ["model.name", { ...smallRecord, name: null }],
    ["model.base_url", { ...smallRecord, base_url: 1 }],
    ["model.reasoning", { ...smallRecord, reasoning: "yes" }],
    ["model.input", { ...smallRecord, input: "text" }],
    ["model.input[1]", { ...smallRecord, input: ["text", "sound"] }],
    ["model.cost", { ...smallRecord, cost: 3 }],
    ["model.cost.cache_read", { ...smallRecord, cost: { input: 1, output: 1, cache_write: 1 } }],
    ["model.context_window", { ...smallRecord, context_window: "200k" }],
    ["model.max_tokens", { ...smallRecord, max_tokens: -1 }],
    ["model.headers.key", { ...smallRecord, headers: { key: 5 } }],
    ["model.compat", { ...smallRecord, compat: [] }],
  ])("names %s when it is wrong", (path, record) => {
    expect(() => deserializeModel(record)).toThrow(ToolInputError);
    expect(() => deserializeModel(record)).toThrow(`${path} must be`);
  });

  it("never shows the value of a wrong field", () => {
    const record = { ...smallRecord, headers: { authorization: ["secret-key"] } };
    expect(() => deserializeModel(record)).not.toThrow(/secret-key/);
    expect(() => deserializeModel(record)).toThrow("model.headers.authorization");
  });
});
