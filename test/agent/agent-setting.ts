// An agent over a real toolkit and a real store in a folder that is removed afterwards.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type AgentEvent, type AgentOptions, createAgent } from "../../src/agent/index.js";
import { createScriptedConnector, type Script } from "../../src/connectors/index.js";
import type { ModelDescriptor } from "../../src/core/connector.js";
import { defineTool, type Tool, type ToolDefinition, t, textResult } from "../../src/core/index.js";
import { createToolkit } from "../../src/toolkit/index.js";

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "clawtools-agent-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface AgentSetting {
  readonly script?: Script;
  readonly descriptor?: Partial<ModelDescriptor>;
  readonly folder?: string;
  readonly tools?: readonly (Tool | ToolDefinition)[];
  readonly options?: Partial<AgentOptions>;
}

export async function startAgent(setting: AgentSetting = {}) {
  const folder = setting.folder ?? (await makeFolder());
  const connector = createScriptedConnector(setting.script ?? [], setting.descriptor);
  const [model] = connector.models;
  if (model === undefined) throw new Error("The scripted connector has a model.");
  const toolkit = createToolkit({
    root: folder,
    stateDir: join(folder, "tools"),
    tools: setting.tools ?? [],
  });
  const options = {
    toolkit,
    store: join(folder, "state"),
    model: { connector, model },
    ...setting.options,
  };
  const agent = createAgent(options);
  const events: AgentEvent[] = [];
  agent.on((event) => events.push(event));
  const close = async () => {
    await agent.close();
    await toolkit.close();
  };
  onTestFinished(close);
  return { agent, toolkit, connector, events, folder, close };
}

/** Counts its calls, and answers with the text it is given. */
export function countingTool(name: string, { readOnly = false } = {}) {
  const calls: string[] = [];
  const tool = defineTool({
    name,
    description: "Says a text.",
    parameters: t.object({ text: t.string({ description: "What to say." }) }),
    readOnly,
    execute: async ({ params }) => {
      calls.push(params.text);
      return textResult(`said ${params.text}`);
    },
  });
  return { tool, calls };
}
