// Where a key is looked for, and in which order.

import { describe, expect, it } from "vitest";
import { resolveAuthFrom } from "./auth.js";

describe("resolveAuthFrom", () => {
  it.each([
    {
      title: "takes the explicit key before every variable",
      request: {
        provider: "acme",
        envVars: ["NAMED"],
        explicitKey: "given",
        env: { NAMED: "named", ACME_API_KEY: "usual" },
      },
      found: { mode: "api-key", apiKey: "given", source: "explicit" },
    },
    {
      title: "takes the first named variable that is set",
      request: {
        provider: "acme",
        envVars: ["UNSET", "SET"],
        env: { SET: "k", ACME_API_KEY: "u" },
      },
      found: { mode: "api-key", apiKey: "k", source: "env:SET" },
    },
    {
      title: "falls back to the usual name of the provider",
      request: { provider: "my-provider", envVars: ["UNSET"], env: { MY_PROVIDER_API_KEY: "k" } },
      found: { mode: "api-key", apiKey: "k", source: "env:MY_PROVIDER_API_KEY" },
    },
    {
      title: "passes over blank values at every step",
      request: {
        provider: "acme",
        envVars: ["BLANK"],
        explicitKey: " \t",
        env: { BLANK: "  \n", ACME_API_KEY: "k" },
      },
      found: { mode: "api-key", apiKey: "k", source: "env:ACME_API_KEY" },
    },
    {
      title: "drops the white space around a key",
      request: { provider: "acme", env: { ACME_API_KEY: "key\n" } },
      found: { mode: "api-key", apiKey: "key", source: "env:ACME_API_KEY" },
    },
    {
      title: "finds nothing when nothing is set",
      request: { provider: "acme", envVars: ["UNSET"], explicitKey: "", env: { ACME_API_KEY: "" } },
      found: undefined,
    },
    {
      title: "takes no key from the prototype of the environment",
      request: { provider: "acme", envVars: ["constructor", "__proto__", "toString"], env: {} },
      found: undefined,
    },
  ])("$title", ({ request, found }) => {
    expect(resolveAuthFrom(request)).toEqual(found);
  });

  const throwing = {
    toString: () => {
      throw new Error("no text");
    },
  };

  it.each<[what: string, request: Record<string, unknown>, source: string | undefined]>([
    ["a number for the names", { envVars: 5 }, "env:ACME_API_KEY"],
    ["null for the names", { envVars: null }, "env:ACME_API_KEY"],
    ["an object for the names", { envVars: {} }, "env:ACME_API_KEY"],
    ["one text for the names", { envVars: "NAMED" }, "env:NAMED"],
    ["names that are no text", { envVars: [5, null, Symbol("x"), throwing, "NAMED"] }, "env:NAMED"],
    ["a number for the provider", { provider: 5 }, undefined],
    ["a symbol for the provider", { provider: Symbol("x") }, undefined],
    ["an object for the provider", { provider: throwing }, undefined],
    ["no provider", { provider: undefined }, undefined],
    ["a number for the key", { explicitKey: 5 }, "env:ACME_API_KEY"],
  ])("does not throw for %s", (_what, request, source) => {
    const env = { NAMED: "named", ACME_API_KEY: "usual", "5_API_KEY": "five" };
    const given = { provider: "acme", env, ...request };
    const found: unknown = Reflect.apply(resolveAuthFrom, undefined, [given]);
    expect(found).toEqual(source === undefined ? undefined : expect.objectContaining({ source }));
  });
});
