// The AI SDK itself runs the tools of a toolkit, with its own mock model in the place of a provider.

import { generateText, stepCountIs, type ToolSet } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import type { ToolkitOptions } from "clawtools";
import { toAISDK } from "clawtools/adapters";
import { describe, expect, it } from "vitest";
import {
  createAdapterSetting,
  createLongCommand,
  FREE_EXEC,
  PIXEL,
  until,
} from "./adapter-setting.js";

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** Calls one tool, then says that it has done so. */
function modelThatCalls(toolName: string, given: unknown): MockLanguageModelV3 {
  const call = {
    type: "tool-call" as const,
    toolCallId: "call_1",
    toolName,
    input: JSON.stringify(given),
  };
  return new MockLanguageModelV3({
    doGenerate: [
      {
        content: [call],
        finishReason: { unified: "tool-calls", raw: undefined },
        usage: USAGE,
        warnings: [],
      },
      {
        content: [{ type: "text", text: "done" }],
        finishReason: { unified: "stop", raw: undefined },
        usage: USAGE,
        warnings: [],
      },
    ],
  });
}

async function run(
  { name, given }: { readonly name: string; readonly given: unknown },
  options: Partial<ToolkitOptions> = {},
) {
  const setting = createAdapterSetting(options);
  const tools: ToolSet = toAISDK(setting.toolkit);
  const model = modelThatCalls(name, given);
  const { text } = await generateText({ model, tools, prompt: "go", stopWhen: stepCountIs(3) });
  expect(text).toBe("done");
  const told = model.doGenerateCalls[1]?.prompt.at(-1);
  const [part] = told?.role === "tool" ? told.content : [];
  return { ...setting, model, output: part?.type === "tool-result" ? part.output : undefined };
}

describe("toAISDK", () => {
  it("offers what the policy leaves, each schema as the toolkit has it", async () => {
    const config = { tools: { deny: ["write"] } };
    const { model, toolkit } = await run(
      { name: "read", given: { path: "notes.txt" } },
      { config },
    );
    const offered = model.doGenerateCalls[0]?.tools ?? [];
    const schemas = toolkit.schemas();
    expect(offered.map(({ name }) => name)).toEqual(schemas.map(({ name }) => name));
    expect(offered.map(({ name }) => name)).not.toContain("write");
    for (const [index, tool] of offered.entries()) {
      const { description, input_schema: inputSchema } = schemas[index] ?? {};
      expect(tool).toMatchObject({ type: "function", description, inputSchema });
    }
  });

  it("gives the model what a tool answers, and the audit the way it came", async () => {
    const { output, rows } = await run({ name: "read", given: { path: "notes.txt" } });
    expect(output).toEqual({ type: "text", value: expect.stringContaining("buy milk") });
    expect(rows).toMatchObject([
      { toolCallId: "call_1", toolName: "read", outcome: "ok", entryPoint: "ai-sdk" },
    ]);
  });

  it("tells the model that a call failed, by the same words as invoke", async () => {
    const call = { name: "read", given: { path: "none.txt" } };
    const { output, toolkit } = await run(call);
    const { name, given } = call;
    const answer = await toolkit.invoke({ id: "x", name, arguments: given });
    const [block] = answer.content;
    expect(output).toEqual({ type: "error-text", value: block?.type === "text" && block.text });
  });

  it("leaves wrong arguments to the toolkit, which says what to send", async () => {
    const { output, rows } = await run({ name: "read", given: { pth: "notes.txt" } });
    expect(output).toMatchObject({ type: "error-text", value: expect.stringContaining("path") });
    expect(rows).toMatchObject([{ stage: "arguments", reason: "unknown_parameter" }]);
  });

  it("gives an image as an image", async () => {
    const { output } = await run({ name: "read", given: { path: "pixel.png" } });
    if (output?.type !== "content") throw new Error(JSON.stringify(output));
    const image = output.value.find(({ type }) => type !== "text");
    expect(JSON.stringify(image)).toContain("image/png");
    expect(JSON.stringify(image)).toContain(PIXEL.slice(0, 40));
  });

  it("refuses what a rule refuses, and tells the model", async () => {
    const config = { tools: { exec: { security: "deny" } } } as const;
    const { output, rows } = await run({ name: "exec", given: { command: "true" } }, { config });
    expect(output).toMatchObject({ type: "error-text" });
    expect(rows).toMatchObject([{ code: "denied", entryPoint: "ai-sdk" }]);
  });

  it("ends a command that runs when the caller aborts", async () => {
    const { toolkit, rows } = createAdapterSetting({ config: FREE_EXEC });
    const { command, isRunning } = createLongCommand();
    const abort = new AbortController();
    const running = generateText({
      model: modelThatCalls("exec", { command, yieldMs: 60_000 }),
      tools: toAISDK(toolkit),
      prompt: "go",
      stopWhen: stepCountIs(3),
      abortSignal: abort.signal,
    });
    const ended = expect(running).rejects.toThrow();
    await until(isRunning);
    abort.abort();
    await ended;
    await until(() => rows.length === 1);
    expect(rows).toMatchObject([{ outcome: "aborted" }]);
    await until(() => !isRunning());
  });
});
