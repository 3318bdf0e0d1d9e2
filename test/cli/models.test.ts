// `clawtools models` as a person calls it.

import { describe, expect, it } from "vitest";
import { createSandbox } from "./run-cli.js";

describe("clawtools models", () => {
  it("list shows the models that can be used, and says how many have no key", async () => {
    const { runHere } = await createSandbox({ files: {} });
    const { exitCode, stdout } = await runHere("models", "list");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^\s*debug\/echo\s+128k tokens/m);
    expect(stdout).not.toContain("openai/gpt-5.4");
    expect(stdout).toMatch(/\d+ more have no key; --all lists them\./);
    const all = await runHere("models", "list", "--all");
    expect(all.stdout).toMatch(/^\s*openai\/gpt-5\.4 .*no key$/m);
  });

  it("test asks the named model and prints its answer", async () => {
    const { runHere } = await createSandbox({ files: {} });
    const { exitCode, stdout } = await runHere("models", "test", "debug/echo", "--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      model: "debug/echo",
      text: expect.stringContaining("are you there?"),
    });
  });

  it("test says which variable to set when the model has no key", async () => {
    const { runHere } = await createSandbox({ files: {} });
    const { exitCode, stderr } = await runHere("models", "test", "openai/gpt-5.4");
    expect(exitCode).toBe(8);
    expect(stderr).toContain("OPENAI_API_KEY");
  });
});
