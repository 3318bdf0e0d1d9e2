// The connector registry, as callers and plugins use it.

import { describe, expect, it } from "vitest";
import type { Connector } from "../core/connector.js";
import { ConnectorRegistry } from "./registry.js";

function createConnector(fields: Partial<Connector> = {}): Connector {
  return {
    id: "mock",
    label: "Mock",
    provider: "mock-provider",
    api: "openai-completions",
    models: [],
    async *stream() {
      yield { type: "start" };
    },
    ...fields,
  };
}

function createRegistry(...connectors: Array<Partial<Connector>>): ConnectorRegistry {
  const registry = new ConnectorRegistry();
  for (const fields of connectors) registry.register(createConnector(fields));
  return registry;
}

describe("ConnectorRegistry", () => {
  it("finds a connector by id, by provider and by transport, as the same object", () => {
    const registry = new ConnectorRegistry();
    const connector = createConnector();
    registry.register(connector);
    expect(registry.get("mock")).toBe(connector);
    expect(registry.getByProvider("mock-provider")).toBe(connector);
    expect(registry.getByApi("openai-completions")).toEqual([connector]);
    expect([registry.has("mock"), registry.size]).toEqual([true, 1]);
  });

  it("answers undefined, an empty list or false for what it does not know", () => {
    const registry = createRegistry({});
    expect(registry.get("other")).toBeUndefined();
    expect(registry.getByProvider("other")).toBeUndefined();
    expect(registry.getByApi("other")).toEqual([]);
    expect([registry.has("other"), registry.unregister("other")]).toEqual([false, false]);
  });

  it("gives the last registered connector of a provider, and the earlier one when that is gone", () => {
    const registry = createRegistry({ id: "old" }, { id: "middle" }, { id: "new" });
    expect(registry.getByProvider("mock-provider")?.id).toBe("new");
    registry.unregister("new");
    expect(registry.getByProvider("mock-provider")?.id).toBe("middle");
    registry.unregister("old");
    expect(registry.getByProvider("mock-provider")?.id).toBe("middle");
  });

  it("replaces a connector of the same id and forgets its old provider and transport", () => {
    const registry = createRegistry({}, { provider: "second", api: "other-api", label: "New" });
    expect(registry.size).toBe(1);
    expect(registry.get("mock")?.label).toBe("New");
    expect(registry.getByProvider("mock-provider")).toBeUndefined();
    expect(registry.getByApi("openai-completions")).toEqual([]);
    expect(registry.getByProvider("second")?.id).toBe("mock");
  });

  it("counts a replaced connector as the newest of its provider", () => {
    const registry = createRegistry({ id: "a" }, { id: "b" }, { id: "a" });
    expect(registry.getByProvider("mock-provider")?.id).toBe("a");
  });

  it("lists and walks in order of registration, and names each provider once", () => {
    const registry = createRegistry(
      { id: "a", provider: "one" },
      { id: "b", provider: "two" },
      { id: "c", provider: "one" },
    );
    expect(registry.list().map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect([...registry].map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(registry.listProviders()).toEqual(["one", "two"]);
  });

  it("lets a loop over it remove what it walks", () => {
    const registry = createRegistry({ id: "a" }, { id: "b" });
    for (const { id } of registry) registry.unregister(id);
    expect(registry.size).toBe(0);
  });

  it("is empty in every view after clear", () => {
    const registry = createRegistry({ id: "a" }, { id: "b" });
    registry.clear();
    expect(registry.list()).toEqual([]);
    expect(registry.listProviders()).toEqual([]);
    expect(registry.getByApi("openai-completions")).toEqual([]);
    expect(registry.getByProvider("mock-provider")).toBeUndefined();
  });

  it.each([
    ["id", { id: " " }],
    ["provider", { provider: "" }],
    ["api", { api: "" }],
  ])("refuses a connector with a blank %s and names the field", (field, fields) => {
    expect(() => createRegistry(fields)).toThrow(`connector.${field}`);
  });

  it("refuses what is no connector at all", () => {
    const registry = new ConnectorRegistry();
    for (const value of [null, "openai", { id: "a", provider: "b", api: "c" }]) {
      expect(() => Reflect.apply(registry.register, registry, [value])).toThrow(/connector/);
    }
    expect(registry.size).toBe(0);
  });
});
