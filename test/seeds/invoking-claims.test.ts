// Claims 60 to 64: calling a resolved tool. The same call works for a plain tool and a defined one.
import {
  createClawtools,
  defineTool,
  imageResult,
  type StreamEvent,
  type Tool,
  ToolRegistry,
  type ToolResult,
  type ToolUpdateCallback,
  t,
  textResult,
} from "clawtools";
import { describe, expect, expectTypeOf, it, vi } from "vitest";
import { createMemoryBridge } from "../fakes/memory-bridge.js";
import { createPlainTool } from "../fakes/plain-tool.js";
import { bindAlone, resolveTool } from "../fakes/resolve-tool.js";

const echoId = defineTool({
  name: "echo_id",
  description: "Says the id of its call.",
  parameters: t.object({ text: t.optional(t.string({ description: "Anything." })) }),
  execute: async ({ id, params }) => textResult(id, { id, params }),
});

function readTool(): Tool {
  const bridge = createMemoryBridge({ "/project/src/index.ts": "export const answer = 42;\n" });
  const { tools } = createClawtools();
  return resolveTool({ registry: tools, name: "read", ctx: { root: "/project", bridge } });
}

describe("invoking a tool", () => {
  it("60 · execute(toolCallId, params, signal?, onUpdate?) -> Promise<ToolResult>", async () => {
    expectTypeOf<Tool["execute"]>().parameters.toEqualTypeOf<
      [
        toolCallId: string,
        params: Record<string, unknown>,
        signal?: AbortSignal | undefined,
        onUpdate?: ToolUpdateCallback | undefined,
      ]
    >();
    expectTypeOf<Tool["execute"]>().returns.toEqualTypeOf<Promise<ToolResult>>();
    const execute = vi.fn<Tool["execute"]>(async () => textResult("done"));
    const registry = new ToolRegistry();
    registry.register({ ...createPlainTool("plain"), execute });
    const { signal } = new AbortController();
    const onUpdate = vi.fn();
    const params = { text: "hi" };
    const plain = resolveTool({ registry, name: "plain" });
    const called = plain.execute("call_1", params, signal, onUpdate);
    expect(called).toBeInstanceOf(Promise);
    expect((await called).content).toEqual([{ type: "text", text: "done" }]);
    expect(execute).toHaveBeenCalledExactlyOnceWith("call_1", params, signal, onUpdate);
  });

  it("61 · use the LLM-assigned id of toolcall_end in a loop", async () => {
    const event: StreamEvent = {
      type: "toolcall_end",
      toolCall: { id: "toolu_01AbC", name: "echo_id", arguments: { text: "hi" } },
    };
    const { tools } = createClawtools();
    tools.register(echoId);
    const tool = resolveTool({ registry: tools, name: event.toolCall.name });
    const result = await tool.execute(event.toolCall.id, event.toolCall.arguments);
    expect(result.details).toEqual({ id: "toolu_01AbC", params: { text: "hi" } });
  });

  it("62 · crypto.randomUUID() fine for standalone", async () => {
    const result = await readTool().execute(crypto.randomUUID(), { path: "src/index.ts" });
    expect(result.isError).toBeUndefined();
    expect(result.content).toEqual([
      { type: "text", text: expect.stringContaining("export const answer = 42;") },
    ]);
  });

  it("63 · result content text/image blocks, optional details", async () => {
    const picture = defineTool({
      name: "picture",
      description: "Gives a picture and its caption.",
      parameters: t.object({}),
      execute: async () =>
        imageResult({ label: "dot", base64: "AAAA", mimeType: "image/png", extraText: "A dot." }),
    });
    const drawn = await bindAlone(picture).execute("call_1", {});
    expect(drawn).toEqual({
      content: [
        { type: "text", text: "A dot." },
        { type: "image", data: "AAAA", mimeType: "image/png" },
      ],
      details: { label: "dot" },
    });
    const plainText = defineTool({
      name: "plain_text",
      description: "Gives text without details.",
      parameters: t.object({}),
      execute: async () => textResult("only text"),
    });
    const said = await bindAlone(plainText).execute("call_2", {});
    expect(said).toEqual({ content: [{ type: "text", text: "only text" }] });
    for (const block of [...drawn.content, ...said.content]) {
      if (block.type === "text") expectTypeOf(block.text).toEqualTypeOf<string>();
      if (block.type === "image") expectTypeOf(block.mimeType).toEqualTypeOf<string>();
    }
  });

  it("64 · onUpdate partial results; final result authoritative", async () => {
    const counting = defineTool({
      name: "counting",
      description: "Counts aloud.",
      parameters: t.object({ to: t.integer({ description: "Where to stop.", minimum: 1 }) }),
      async execute({ params, update }) {
        for (let number = 1; number <= params.to; number += 1) {
          update({ content: [{ type: "text", text: `${number}` }], details: { number } });
        }
        return textResult("all counted", { number: params.to });
      },
    });
    const tool = bindAlone(counting);
    const heard: string[] = [];
    const result = await tool.execute(crypto.randomUUID(), { to: 3 }, undefined, (partial) => {
      for (const block of partial.content ?? []) {
        if (block.type === "text") heard.push(block.text);
      }
    });
    expect(heard).toEqual(["1", "2", "3"]);
    expect(result).toEqual({
      content: [{ type: "text", text: "all counted" }],
      details: { number: 3 },
    });
    const unheard = await tool.execute("call_2", { to: 2 });
    expect(unheard.content).toEqual([{ type: "text", text: "all counted" }]);
  });
});
