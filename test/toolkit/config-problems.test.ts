// What is wrong in a config is said when the toolkit is made; what is doubtful can be asked for.

import { createToolkit } from "clawtools";
import { describe, expect, it } from "vitest";

const root = import.meta.dirname;

describe("a config that is wrong", () => {
  it.each([
    [{ tools: { allow: ["raed"] } }, /tools\.allow\[0\].*"read"/],
    [{ tools: { profile: 5 } }, /tools\.profile/],
  ])("%o is refused with its path", (config, message) => {
    expect(() => createToolkit({ root, config })).toThrowError(message);
  });
});

describe("a config that is doubtful", () => {
  it("is used, and what is doubtful is a diagnostic", async () => {
    const toolkit = createToolkit({
      root,
      config: { tolls: {}, tools: { deny: ["no_such_tool"] } },
    });
    const messages = toolkit.diagnostics().map(({ message }) => message);
    expect(messages).toEqual([
      expect.stringContaining('"tools"'),
      expect.stringContaining("no_such_tool"),
    ]);
    expect(toolkit.explain("read").status).toBe("present");
    await toolkit.close();
  });
});
