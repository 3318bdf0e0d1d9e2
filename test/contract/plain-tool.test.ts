// A plain documented tool goes through the registry untouched: the same object, no checks around it.
import { createClawtools, type Tool, ToolRegistry } from "clawtools";
import { describe, expect, it } from "vitest";
import { createMeta, createPlainTool } from "../fakes/plain-tool.js";
import { resolveTool } from "../fakes/resolve-tool.js";

describe("a plain tool", () => {
  it("comes out of every resolution as the object that went in", () => {
    const { tools } = createClawtools();
    const registered = createPlainTool("registered");
    const made = createPlainTool("made");
    tools.register(registered);
    tools.registerFactory(() => made, createMeta("made"));
    for (const tool of [registered, made]) {
      expect(tools.resolve(tool.name)).toBe(tool);
      expect(tools.resolveAll().find(({ name }) => name === tool.name)).toBe(tool);
      expect(tools.resolveByProfile("full").find(({ name }) => name === tool.name)).toBe(tool);
    }
  });

  it("keeps its own fields, its prototype and its identity across contexts", () => {
    class Counter implements Tool {
      name = "counter";
      description = "Counts its calls.";
      parameters = { type: "object", properties: {} };
      calls = 0;
      async execute() {
        this.calls += 1;
        return { content: [{ type: "text" as const, text: `${this.calls}` }] };
      }
    }
    const counter = new Counter();
    const registry = new ToolRegistry();
    registry.register(counter);
    expect(registry.resolve("counter", { root: "/a" })).toBe(counter);
    expect(registry.resolve("counter", { root: "/b" })).toBe(counter);
    expect(Object.isFrozen(counter)).toBe(false);
  });

  it("gets its arguments unchecked and throws what it throws", async () => {
    const thrown = new Error("my own");
    const registry = new ToolRegistry();
    registry.register({
      ...createPlainTool("strict_schema"),
      parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      execute: async (_toolCallId, params) => {
        if (params.unknown === "key") throw thrown;
        return { content: [] };
      },
    });
    const tool = resolveTool({ registry, name: "strict_schema" });
    expect(await tool.execute("call_1", {})).toEqual({ content: [] });
    await expect(tool.execute("call_2", { unknown: "key" })).rejects.toBe(thrown);
  });
});
