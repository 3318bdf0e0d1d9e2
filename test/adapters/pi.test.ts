// pi's agent itself runs the tools of a toolkit, with pi's own false provider.

import { Agent, type AgentTool } from "@earendil-works/pi-agent-core";
import { fauxAssistantMessage, fauxToolCall, registerFauxProvider } from "@earendil-works/pi-ai";
import type { ToolkitOptions } from "clawtools";
import { toPi } from "clawtools/adapters";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createAdapterSetting,
  createLongCommand,
  FREE_EXEC,
  PIXEL,
  until,
} from "./adapter-setting.js";

interface PiCall {
  readonly name: string;
  readonly given: Record<string, unknown>;
}

/** An agent whose model calls one tool, then says that it has done so. */
function createAgent({ name, given }: PiCall, options: Partial<ToolkitOptions> = {}) {
  const setting = createAdapterSetting(options);
  const tools: AgentTool[] = toPi(setting.toolkit);
  const provider = registerFauxProvider();
  onTestFinished(() => provider.unregister());
  provider.setResponses([
    fauxAssistantMessage(fauxToolCall(name, given, { id: "call_1" }), { stopReason: "toolUse" }),
    fauxAssistantMessage("done"),
  ]);
  const model = provider.getModel();
  const agent = new Agent({ initialState: { systemPrompt: "", model, tools, messages: [] } });
  return { ...setting, agent, tools };
}

async function run(call: PiCall, options: Partial<ToolkitOptions> = {}) {
  const started = createAgent(call, options);
  await started.agent.prompt("go");
  const told = started.agent.state.messages.find(({ role }) => role === "toolResult");
  if (told?.role !== "toolResult") throw new Error("The tool was not called.");
  return { ...started, told };
}

describe("toPi", () => {
  it("offers what the policy leaves, with labels for people", () => {
    const { toolkit } = createAdapterSetting({ config: { tools: { deny: ["write"] } } });
    const tools = toPi(toolkit);
    expect(tools.map(({ name }) => name)).toEqual(toolkit.tools.map(({ name }) => name));
    expect(tools.map(({ name }) => name)).not.toContain("write");
    expect(tools.every(({ label }) => label !== "")).toBe(true);
  });

  it("gives the model what a tool answers, and the audit the way it came", async () => {
    const { told, rows } = await run({ name: "read", given: { path: "notes.txt" } });
    expect(told).toMatchObject({ toolCallId: "call_1", isError: false });
    expect(JSON.stringify(told.content)).toContain("buy milk");
    expect(rows).toMatchObject([{ toolCallId: "call_1", outcome: "ok", entryPoint: "pi" }]);
  });

  it("tells the model that a call failed, by the same words as invoke", async () => {
    const call = { name: "read", given: { path: "none.txt" } };
    const { told, toolkit } = await run(call);
    const answer = await toolkit.invoke({ id: "x", name: call.name, arguments: call.given });
    expect(told.isError).toBe(true);
    expect(told.content).toEqual(answer.content);
  });

  it("gives an image as an image", async () => {
    const { told } = await run({ name: "read", given: { path: "pixel.png" } });
    const image = told.content.find(({ type }) => type === "image");
    expect(image).toMatchObject({ mimeType: "image/png" });
    expect(JSON.stringify(image)).toContain(PIXEL.slice(0, 40));
  });

  it("refuses what a rule refuses, and tells the model", async () => {
    const config = { tools: { exec: { security: "deny" } } } as const;
    const { told, rows } = await run({ name: "exec", given: { command: "true" } }, { config });
    expect(told.isError).toBe(true);
    expect(rows).toMatchObject([{ code: "denied", entryPoint: "pi" }]);
  });

  it("ends a command that runs when the agent is aborted", async () => {
    const { command, isRunning } = createLongCommand();
    const given = { command, yieldMs: 60_000 };
    const { agent, rows } = createAgent({ name: "exec", given }, { config: FREE_EXEC });
    const ended = agent.prompt("go");
    await until(isRunning);
    agent.abort();
    await ended;
    expect(rows).toMatchObject([{ outcome: "aborted" }]);
    await until(() => !isRunning());
  });
});
