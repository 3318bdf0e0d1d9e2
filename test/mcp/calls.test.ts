// Calls that take time: progress, cancellation, the end of the connection, changes of the tools.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { createToolkit, defineTool, t } from "clawtools";
import { serveMcp } from "clawtools/mcp";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../fakes/eventually.js";
import { createToken, findSurvivors } from "../faults/process-survivors.js";
import { createTempFolder } from "../plugins/temp-folder.js";
import { createHandClient } from "./hand-client.js";
import { openServer } from "./open-server.js";

const counting = defineTool({
  name: "counting",
  description: "Counts as fast as it can, then ends.",
  parameters: t.object({}),
  execute: async ({ update }) => {
    for (let count = 0; count < 5_000; count++) {
      update({ content: [{ type: "text", text: `at ${count}` }] });
    }
    return { content: [{ type: "text", text: "counted" }] };
  },
});

/** Ends only when it is told to. */
function createEndless() {
  const ends: string[] = [];
  const endless = defineTool({
    name: "endless",
    description: "Goes on until it is stopped.",
    parameters: t.object({}),
    execute: ({ signal, update }) =>
      new Promise((_, reject) => {
        update({ content: [{ type: "text", text: "begun" }] });
        signal.addEventListener("abort", () => {
          ends.push("aborted");
          reject(signal.reason);
        });
      }),
  });
  return { endless, ends };
}

const withToken = (name: string) => ({ name, _meta: { progressToken: "p1" } });

describe("progress", () => {
  it("rises, is sent rarely, and never after the answer", async () => {
    const { client } = await openServer({ toolkit: { tools: [counting] } });
    await client.initialize("2025-06-18");
    await client.request("tools/call", withToken("counting"));
    await client.request("ping");
    const sent = client.messages.filter(({ method }) => method === "notifications/progress");
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThan(20);
    const counts = sent.map(({ params }) => Number(params?.progress));
    expect(counts).toEqual([...counts].sort((one, other) => one - other));
    expect(new Set(counts).size).toBe(counts.length);
    expect(sent[0]?.params).toMatchObject({ progressToken: "p1", message: "at 0" });
    const last = client.messages.findLastIndex(({ method }) => method !== undefined);
    const answer = client.messages.findIndex(({ result }) => result?.content !== undefined);
    expect(last).toBeLessThan(answer);
  });

  it("is not sent when nobody asked for it", async () => {
    const { client } = await openServer({ toolkit: { tools: [counting] } });
    await client.initialize();
    await client.request("tools/call", { name: "counting" });
    expect(client.messages.every(({ method }) => method === undefined)).toBe(true);
  });

  it("has no text for a client of 2024-11-05", async () => {
    const { client } = await openServer({ toolkit: { tools: [counting] } });
    await client.initialize("2024-11-05");
    await client.request("tools/call", withToken("counting"));
    const sent = client.messages.find(({ method }) => method === "notifications/progress");
    expect(sent?.params).toEqual({ progressToken: "p1", progress: 1 });
  });
});

describe("cancellation", () => {
  it("stops the call, and nothing is answered to it", async () => {
    const { endless, ends } = createEndless();
    const { client } = await openServer({ toolkit: { tools: [endless] } });
    await client.initialize("2025-06-18");
    const { id } = client.begin("tools/call", withToken("endless"));
    await client.waitFor(({ method }) => method === "notifications/progress");
    client.notify("notifications/cancelled", { requestId: id, reason: "enough" });
    await eventually(() => expect(ends).toEqual(["aborted"]));
    await client.request("ping");
    expect(client.messages.some((message) => message.id === id)).toBe(false);
  });

  it("kills a command that runs", async () => {
    const token = createToken(710_001);
    const { client } = await openServer();
    await client.initialize("2025-06-18");
    const { id } = client.begin("tools/call", {
      name: "exec",
      arguments: { command: `sleep ${token}`, yieldMs: 60_000 },
    });
    await eventually(() => expect(findSurvivors(token)).not.toEqual([]));
    client.notify("notifications/cancelled", { requestId: id });
    await eventually(() => expect(findSurvivors(token)).toEqual([]));
  });

  it("of a request that is not there does nothing", async () => {
    const { client } = await openServer();
    await client.initialize();
    for (const requestId of [77, "77", null, {}]) {
      client.notify("notifications/cancelled", { requestId });
    }
    expect((await client.request("ping")).result).toEqual({});
  });

  it("comes with the end of the connection too", async () => {
    const { endless, ends } = createEndless();
    const { client, input, server } = await openServer({ toolkit: { tools: [endless] } });
    await client.initialize("2025-06-18");
    client.begin("tools/call", withToken("endless"));
    await client.waitFor(({ method }) => method === "notifications/progress");
    input.end();
    await server.closed;
    await eventually(() => expect(ends).toEqual(["aborted"]));
  });

  it("comes when the client breaks the stream that it should read", async () => {
    const { endless, ends } = createEndless();
    const { client, output, server } = await openServer({ toolkit: { tools: [endless] } });
    await client.initialize("2025-06-18");
    client.begin("tools/call", withToken("endless"));
    await client.waitFor(({ method }) => method === "notifications/progress");
    output.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    await server.closed;
    await eventually(() => expect(ends).toEqual(["aborted"]));
  });
});

describe("requests", () => {
  it("with the id of one that runs are refused", async () => {
    const { endless } = createEndless();
    const { client } = await openServer({ toolkit: { tools: [endless] } });
    await client.initialize();
    const { id } = client.begin("tools/call", { name: "endless" });
    client.write(JSON.stringify({ jsonrpc: "2.0", id, method: "ping" }));
    const refusal = await client.waitFor((message) => message.id === id);
    expect(refusal.error).toMatchObject({ code: -32600 });
  });

  it("beyond 64 at once are refused, and the others go on", async () => {
    const { endless } = createEndless();
    const { client } = await openServer({ toolkit: { tools: [endless] } });
    await client.initialize();
    for (let count = 0; count < 64; count++) client.begin("tools/call", { name: "endless" });
    const { error } = await client.request("tools/call", { name: "endless" });
    expect(error).toMatchObject({ code: -32000, message: expect.stringContaining("64") });
  });
});

describe("tools/list_changed", () => {
  it("is sent when plugins brought tools after the client had its list", async () => {
    const root = await createTempFolder();
    const plugin = join(root, "late");
    await mkdir(plugin);
    await writeFile(join(plugin, "openclaw.plugin.json"), '{"id":"late","configSchema":{}}');
    await writeFile(
      join(plugin, "index.mjs"),
      `export default { id: "late", async register(api) {
        await new Promise((resolve) => { globalThis.letLatePluginGo = resolve; });
        api.registerTool({ name: "late_tool", description: "Late.", parameters: { type: "object", properties: {} },
          execute: async () => ({ content: [{ type: "text", text: "late" }] }) });
      } };`,
    );
    const toolkit = createToolkit({
      root,
      stateDir: false,
      config: { plugins: { load: { paths: [plugin] } } },
    });
    const streams = { input: new PassThrough(), output: new PassThrough() };
    const server = await serveMcp(toolkit, { streams });
    onTestFinished(async () => {
      await server.close();
      await toolkit.close();
    });
    const client = createHandClient({ from: streams.output, to: streams.input });
    await client.initialize("2025-06-18");
    const release = await eventually(() => {
      const found: unknown = Reflect.get(globalThis, "letLatePluginGo");
      if (typeof found !== "function") throw new Error("The plugin was not loaded yet.");
      return found;
    });
    release();
    await client.waitFor(({ method }) => method === "notifications/tools/list_changed");
    const { result } = await client.request("tools/list");
    expect(JSON.stringify(result)).toContain("late_tool");
  });
});
