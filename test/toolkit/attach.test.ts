// Tools that need a port of an agent or a gateway: absent until it is attached, and documented as
// resolvable in a bare registry.

import { defineTool, ToolRegistry, t } from "clawtools";
import { expect, test } from "vitest";
import { startToolkit, textOf } from "./start-toolkit.js";

const models = {
  list: () => [],
  complete: async () => ({ text: "four", model: "test/one", failed: [] }),
};

const ask = defineTool({
  name: "ask_model",
  description: "Ask a model.",
  parameters: t.object({}),
  needs: ["models"],
  readOnly: true,
  execute: async ({ ctx, signal }) => {
    const { text } = await ctx.models.complete({ messages: [], signal });
    return { content: [{ type: "text", text }] };
  },
});

test("a tool that needs a port is offered once the port is attached", async () => {
  const { toolkit, call } = startToolkit({ tools: [ask] });
  const heard: (readonly string[])[] = [];
  toolkit.on("tools", ({ names }) => heard.push(names));
  expect(toolkit.tools.map(({ name }) => name)).not.toContain("ask_model");
  expect(toolkit.explain("ask_model")).toMatchObject({
    status: "absent",
    code: "not_attached",
    missing: ["models"],
    reason: expect.stringContaining("needs a model: set agents.defaults.model"),
  });
  expect((await call("ask_model")).details).toMatchObject({
    code: "unavailable",
    reason: "not_attached",
  });

  toolkit.attach({ models });
  expect(heard).toHaveLength(1);
  expect(heard[0]).toContain("ask_model");
  expect(toolkit.explain("ask_model")).toMatchObject({ status: "present", code: "ready" });
  expect(textOf(await call("ask_model"))).toBe("four");
});

test("a bare registry resolves the tool, and a call says what is missing", async () => {
  const registry = new ToolRegistry();
  registry.register(ask);
  expect(registry.explain()).toMatchObject([{ status: "present", code: "not_attached" }]);
  const answer = await registry.resolve("ask_model")?.execute("call_1", {});
  expect(answer).toMatchObject({ isError: true, details: { reason: "not_attached" } });
  const attached = await registry.resolve("ask_model", { models })?.execute("call_2", {});
  expect(attached?.content).toEqual([{ type: "text", text: "four" }]);
});
