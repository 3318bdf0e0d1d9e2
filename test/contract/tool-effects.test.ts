// What each built-in tool says of itself to whoever asks a person before a call.

import { createToolkit, defineTool, t } from "clawtools";
import { describe, expect, it, onTestFinished } from "vitest";
import { CATALOG } from "../../src/tools/catalog.js";

describe("the effects of the built-in tools", () => {
  it.each(CATALOG.map(({ tool }) => [tool.name, tool] as const))(
    "%s says all of them",
    (_, tool) => {
      const { destructive, idempotent, openWorld } = tool.effects;
      expect(openWorld).toBeTypeOf("boolean");
      if (tool.readOnly) {
        expect([destructive, idempotent]).toEqual([undefined, undefined]);
      } else {
        expect([destructive, idempotent].map((one) => typeof one)).toEqual(["boolean", "boolean"]);
      }
    },
  );
});

describe("toolkit.annotations", () => {
  const quiet = defineTool({
    name: "quiet",
    label: "A quiet one",
    description: "Says nothing of itself.",
    parameters: t.object({}),
    execute: async () => ({ content: [] }),
  });
  const plain = {
    name: "plain",
    description: "Is no definition.",
    parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [] }),
  };
  const WORST = { readOnly: false, destructive: true, idempotent: false, openWorld: true };

  it("has what a tool says, by any of its names, and else the worst", () => {
    const toolkit = createToolkit({ root: "/", stateDir: false, tools: [quiet, plain] });
    onTestFinished(() => toolkit.close());
    expect(toolkit.annotations("read")).toEqual({
      title: "Read file contents",
      readOnly: true,
      destructive: false,
      idempotent: true,
      openWorld: false,
    });
    expect(toolkit.annotations("bash")).toMatchObject({ title: "Run shell commands" });
    expect(toolkit.annotations("quiet")).toEqual({ title: "A quiet one", ...WORST });
    expect(toolkit.annotations("plain")).toEqual({ title: "plain", ...WORST });
    expect(toolkit.annotations("nobody")).toEqual({ title: "nobody", ...WORST });
  });
});
