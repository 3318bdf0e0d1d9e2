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
});
