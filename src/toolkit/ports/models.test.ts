// The documented resolveAuth, against the live environment.

import { afterEach, describe, expect, it, vi } from "vitest";
import { resolveAuth } from "./models.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("resolveAuth", () => {
  it("reads a variable that was set after the import", () => {
    vi.stubEnv("CLAWTOOLS_TEST_KEY", "from-env");
    expect(resolveAuth("acme", ["CLAWTOOLS_TEST_KEY"])).toEqual({
      mode: "api-key",
      apiKey: "from-env",
      source: "env:CLAWTOOLS_TEST_KEY",
    });
  });

  it("knows the usual name of a provider and prefers an explicit key", () => {
    vi.stubEnv("CLAWTOOLS_TEST_API_KEY", "usual");
    expect(resolveAuth("clawtools-test")?.source).toBe("env:CLAWTOOLS_TEST_API_KEY");
    expect(resolveAuth("clawtools-test", [], "given")?.source).toBe("explicit");
  });

  it("finds nothing for a provider without a key", () => {
    expect(resolveAuth("no-such-provider-here")).toBeUndefined();
  });
});
