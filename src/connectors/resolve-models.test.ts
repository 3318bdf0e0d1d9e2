// Which models are tried, in which order, with which key.

import { describe, expect, it } from "vitest";
import type { Net } from "../core/index.js";
import { createScriptedConnector } from "./debug/scripted.js";
import { ConnectorRegistry } from "./registry.js";
import { listModels, type ModelRequest, noModelError, resolveModels } from "./resolve-models.js";

const refuse = () => Promise.reject(new Error("no request is made to resolve a model"));
const net: Net = {
  fetch: refuse,
  stream: refuse,
  socket: refuse,
  check: refuse,
  close: async () => undefined,
};

function resolve(
  config: ModelRequest["config"],
  { env = {}, ...request }: Partial<ModelRequest> & { env?: Record<string, string> } = {},
) {
  const environment = { read: (name: string) => env[name] };
  return resolveModels({ config, net, environment, ...request });
}

const refs = (found: ReturnType<typeof resolve>) => found.usable.map(({ ref }) => ref);

describe("resolveModels", () => {
  it("gives the first choice, then the fallbacks, each once and with its key", () => {
    const model = {
      primary: "anthropic/claude-opus-4-7",
      fallbacks: ["openai/gpt-5.4", "debug/echo"],
    };
    const env = { ANTHROPIC_API_KEY: "a-key", OPENAI_API_KEY: "o-key" };
    const found = resolve({ agents: { defaults: { model } } }, { env });
    expect(found.usable.map(({ ref, apiKey }) => [ref, apiKey])).toEqual([
      ["anthropic/claude-opus-4-7", "a-key"],
      ["openai/gpt-5.4", "o-key"],
      ["debug/echo", undefined],
    ]);
    expect(found.usable[0]?.model).toMatchObject({ contextWindow: 1_000_000, maxTokens: 128_000 });
  });

  it("prefers the agent's own choice, and a named model to both", () => {
    const config = {
      agents: {
        defaults: { model: "debug/parrot-1" },
        list: [{ id: "main", model: "debug/echo" }],
      },
    };
    expect(refs(resolve(config, { agentId: "MAIN" }))).toEqual(["debug/echo"]);
    expect(refs(resolve(config))).toEqual(["debug/parrot-1"]);
    expect(refs(resolve(config, { model: "debug/silent-1" }))).toEqual(["debug/silent-1"]);
  });

  it("takes the first provider that has a key when nothing is configured", () => {
    expect(refs(resolve({}, { env: { OPENAI_API_KEY: "k" } }))).toEqual(["openai/gpt-5.4"]);
    const none = resolve({});
    expect(none.usable).toEqual([]);
    expect(noModelError(none)).toMatchObject({ code: "unavailable", reason: "no_model" });
  });

  it("says which variable to set for a model without a key", () => {
    const found = resolve({ agents: { defaults: { model: "google/gemini-2.5-pro" } } });
    expect(found.usable).toEqual([]);
    expect(noModelError(found)).toMatchObject({
      reason: "no_key",
      message:
        "No API key for google/gemini-2.5-pro. Set GEMINI_API_KEY or models.providers.google.apiKey.",
    });
  });

  it("sends a key of the environment only to the provider's own address", () => {
    const env = { OPENAI_API_KEY: "secret" };
    const elsewhere = {
      models: { providers: { openai: { baseUrl: "https://proxy.example/v1" } } },
    };
    const [found] = resolve(elsewhere, { env, model: "openai/gpt-5.4" }).usable;
    expect(found).toMatchObject({
      apiKey: undefined,
      model: { baseUrl: "https://proxy.example/v1" },
    });
    const own = { models: { providers: { openai: { apiKey: "written" } } } };
    expect(resolve(own, { env, model: "openai/gpt-5.4" }).usable[0]?.apiKey).toBe("written");
  });

  it("joins what the config says of a model with what is known of it", () => {
    const config = {
      models: {
        providers: {
          local: {
            baseUrl: "http://127.0.0.1:9/v1/",
            compat: { requiresToolResultName: true },
            models: [{ id: "org/small", contextWindow: 4096, cost: { input: 1 } }],
          },
        },
      },
    };
    const [found] = resolve(config, { model: "local/org/small" }).usable;
    expect(found?.model).toEqual({
      id: "org/small",
      provider: "local",
      api: "openai-completions",
      baseUrl: "http://127.0.0.1:9/v1",
      contextWindow: 4096,
      cost: { input: 1, output: 0, cacheRead: 0, cacheWrite: 0 },
      compat: { requiresToolResultName: true },
    });
    expect(refs(resolve(config))).toEqual(["local/org/small"]);
  });

  it.each([
    ["claude", "Write it as provider/model"],
    ["antropic/claude-opus-4-7", 'Did you mean "anthropic"?'],
    ["debug/ecko", 'Did you mean "debug/echo"?'],
    ["odd/one", "models.providers.odd.api"],
    ["plain/one", "https"],
    ["bare/one", "models.providers.bare.baseUrl is missing"],
  ])("explains what is wrong with %s", (model, words) => {
    const providers = {
      odd: { baseUrl: "https://host.example", api: "smoke-signals" },
      plain: { baseUrl: "http://host.example/v1" },
      bare: {},
    };
    const { usable, unusable } = resolve({ models: { providers } }, { model });
    expect(usable).toEqual([]);
    expect(unusable[0]?.error.message).toContain(words);
  });

  it("asks a registered connector before its own", () => {
    const connectors = new ConnectorRegistry();
    const scripted = createScriptedConnector([], { provider: "openai", id: "gpt-5.4" });
    connectors.register(scripted);
    const [found] = resolve({}, { connectors, model: "openai/gpt-5.4" }).usable;
    expect(found?.connector).toBe(scripted);
  });

  it("chooses for images: the image model, else the session's if it sees, else any that sees", () => {
    const image = { purpose: "image", env: { ANTHROPIC_API_KEY: "k" } } as const;
    const imageModel = { primary: "anthropic/claude-haiku-4-5", fallbacks: ["openai/gpt-4o"] };
    const chosen = resolve({ agents: { defaults: { imageModel } } }, image);
    expect(refs(chosen)).toEqual(["anthropic/claude-haiku-4-5"]);
    expect(chosen.unusable.map(({ ref }) => ref)).toEqual(["openai/gpt-4o"]);
    const sees = { ...image, sessionModel: "anthropic/claude-opus-4-5" };
    expect(refs(resolve({}, sees))).toEqual(["anthropic/claude-opus-4-5"]);
    expect(refs(resolve({}, { ...image, sessionModel: "debug/echo" }))).toEqual([
      "anthropic/claude-sonnet-4-6",
    ]);
    expect(refs(resolve({}, { purpose: "image" }))).toEqual([]);
  });
});

describe("listModels", () => {
  it("names configured, known and debug models once each", () => {
    const providers = { openai: { models: [{ id: "gpt-5.4" }, { id: "mine" }] } };
    const environment = { read: () => undefined };
    const all = listModels({ config: { models: { providers } }, net, environment });
    const names = all.map(({ provider, id }) => `${provider}/${id}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(["openai/mine", "openai/gpt-5.4", "debug/echo"]));
  });
});
