// What a session answers: versions, lists, calls, errors, batches; with real tools behind it.

import { defineTool, t } from "clawtools";
import { describe, expect, it } from "vitest";
import { blocksOf, textOf, toolsOf } from "./hand-client.js";
import { openServer } from "./open-server.js";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const picture = defineTool({
  name: "picture",
  description: "Gives a picture.",
  parameters: t.object({}),
  execute: async () => ({ content: [{ type: "image", data: PIXEL, mimeType: "image/png" }] }),
});

describe("initialize", () => {
  it.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
    "speaks %s",
    async (version) => {
      const { client, toolkit } = await openServer();
      const { result } = await client.initialize(version);
      expect(result).toMatchObject({
        protocolVersion: version,
        serverInfo: { name: "clawtools", version: expect.stringMatching(/^\d+\.\d+/) },
        capabilities: { tools: { listChanged: true } },
        instructions: toolkit.prompt({ provider: "mcp" }),
      });
    },
  );

  it("offers its newest version to a client that asks for one it does not know", async () => {
    const { client } = await openServer();
    const { result } = await client.initialize("2031-01-01");
    expect(result?.protocolVersion).toBe("2025-11-25");
  });

  it("is the first request, and the only one of its kind", async () => {
    const { client } = await openServer();
    expect((await client.request("tools/list")).error).toMatchObject({ code: -32600 });
    expect((await client.request("ping")).result).toEqual({});
    await client.initialize();
    const again = await client.request("initialize", { protocolVersion: "2025-06-18" });
    expect(again.error).toMatchObject({ code: -32600 });
  });
});

describe("tools/list", () => {
  it("lists what the policy leaves, with hints from the catalog", async () => {
    const { client } = await openServer({
      toolkit: { config: { tools: { deny: ["exec", "process"] } } },
    });
    await client.initialize("2025-06-18");
    const { result } = await client.request("tools/list");
    const tools = new Map(toolsOf(result).map((tool) => [tool.name, tool]));
    expect(tools.has("exec")).toBe(false);
    expect(tools.get("read")).toMatchObject({
      title: "Read file contents",
      inputSchema: { type: "object", required: ["path"] },
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    });
    expect(tools.get("write")).toMatchObject({
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    });
  });

  it("takes the worst to be true of a tool that says nothing of itself", async () => {
    const { client } = await openServer({ toolkit: { tools: [picture] } });
    await client.initialize("2025-03-26");
    const { result } = await client.request("tools/list");
    expect(result?.tools).toContainEqual(
      expect.objectContaining({
        name: "picture",
        annotations: expect.objectContaining({
          readOnlyHint: false,
          destructiveHint: true,
          idempotentHint: false,
          openWorldHint: true,
        }),
      }),
    );
  });

  it("has neither hints nor titles for a client of 2024-11-05", async () => {
    const { client } = await openServer();
    await client.initialize("2024-11-05");
    const { result } = await client.request("tools/list");
    const tools = toolsOf(result);
    expect(tools.map(({ name }) => name)).toContain("read");
    for (const tool of tools) {
      expect(Object.keys(tool).sort()).toEqual(["description", "inputSchema", "name"]);
    }
  });

  it("leaves out what the toolkit's own provider is not offered", async () => {
    const { client } = await openServer({
      toolkit: {
        provider: "anthropic",
        config: { tools: { byProvider: { anthropic: { deny: ["write"] } } } },
      },
    });
    await client.initialize();
    const { result } = await client.request("tools/list");
    const names = toolsOf(result).map(({ name }) => name);
    expect(names).toContain("read");
    expect(names).not.toContain("write");
  });

  it("refuses a cursor, because there is one page", async () => {
    const { client } = await openServer();
    await client.initialize();
    const { error } = await client.request("tools/list", { cursor: "2" });
    expect(error).toMatchObject({ code: -32602 });
  });
});

describe("tools/call", () => {
  it("gives the text of a result once, and nothing beside it", async () => {
    const { client } = await openServer({ files: { "a.txt": "hello" } });
    await client.initialize("2025-11-25");
    const answer = await client.request("tools/call", {
      name: "read",
      arguments: { path: "a.txt" },
    });
    expect(answer.result).toEqual({ content: [{ type: "text", text: "hello" }] });
  });

  it("gives images as images", async () => {
    const { client } = await openServer({ toolkit: { tools: [picture] } });
    await client.initialize();
    const { result } = await client.request("tools/call", { name: "picture" });
    expect(result).toEqual({ content: [{ type: "image", data: PIXEL, mimeType: "image/png" }] });
  });

  it("answers a failed call with a result, and a refused one too", async () => {
    const { client } = await openServer({ toolkit: { config: { tools: { deny: ["write"] } } } });
    await client.initialize();
    const failed = await client.request("tools/call", {
      name: "read",
      arguments: { path: "none.txt" },
    });
    expect(failed.result).toMatchObject({ isError: true });
    const refused = await client.request("tools/call", {
      name: "write",
      arguments: { path: "a", content: "" },
    });
    expect(refused.result).toMatchObject({ isError: true });
    expect(textOf(refused)).toContain("tools.deny[0]");
  });

  it("names the nearest tool when there is none of that name", async () => {
    const { client } = await openServer();
    await client.initialize();
    const { error } = await client.request("tools/call", { name: "reed", arguments: {} });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('"read"') });
  });

  it.each([
    [{ arguments: {} }, "name"],
    [{ name: 7 }, "name"],
    [{ name: "read", arguments: [] }, "arguments"],
    [{ name: "read", arguments: "{}" }, "arguments"],
  ])("refuses %j", async (params, word) => {
    const { client } = await openServer();
    await client.initialize();
    const { error } = await client.request("tools/call", params);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(word) });
  });

  it("leaves one audit row a call, also for a tool that is not there", async () => {
    const { client, toolkit } = await openServer({ files: { "a.txt": "x" } });
    const rows: string[] = [];
    toolkit.on("call", ({ toolName, outcome }) => rows.push(`${toolName} ${outcome}`));
    await client.initialize();
    await client.request("tools/call", { name: "read", arguments: { path: "a.txt" } });
    await client.request("tools/call", { name: "nobody" });
    expect(rows).toEqual(["read ok", "nobody stopped"]);
  });
});

describe("artifacts", () => {
  const long = Array.from({ length: 400 }, (_, index) => `line ${index} ${"x".repeat(60)}`);
  const lines = defineTool({
    name: "lines",
    description: "Gives many lines.",
    parameters: t.object({}),
    execute: async () => ({ content: [{ type: "text", text: long.join("\n") }] }),
  });
  const wish = { toolkit: { tools: [lines], config: { limits: { resultChars: 2_000 } } } };

  it("are linked by a cut result, listed, and read page by page", async () => {
    const { client } = await openServer(wish);
    await client.initialize("2025-06-18");
    const { result } = await client.request("tools/call", { name: "lines" });
    const link = blocksOf(result).find(({ type }) => type === "resource_link");
    expect(link?.uri).toMatch(/^artifact:\/\/[0-9a-f]{24}$/);
    const listed = await client.request("resources/list");
    expect(listed.result?.resources).toEqual([expect.objectContaining({ uri: link?.uri })]);
    const first = await client.request("resources/read", { uri: link?.uri });
    expect(JSON.stringify(first.result)).toContain("line 0 ");
    const later = await client.request("resources/read", {
      uri: `${link?.uri}?offset=399&limit=1`,
    });
    expect(JSON.stringify(later.result)).toContain("line 398 ");
    expect(JSON.stringify(later.result)).not.toContain("line 397 ");
  });

  it("are no links for a client that does not know links", async () => {
    const { client } = await openServer(wish);
    await client.initialize("2025-03-26");
    const { result } = await client.request("tools/call", { name: "lines" });
    expect(blocksOf(result).map(({ type }) => type)).toEqual(["text"]);
  });

  it.each([
    "artifact://000000000000000000000000",
    "artifact://../etc/passwd",
    "file:///etc/passwd",
  ])("has no resource %s", async (uri) => {
    const { client } = await openServer(wish);
    await client.initialize();
    expect((await client.request("resources/read", { uri })).error).toMatchObject({
      code: -32002,
    });
  });

  it("have a template", async () => {
    const { client } = await openServer();
    await client.initialize();
    const { result } = await client.request("resources/templates/list");
    expect(JSON.stringify(result)).toContain("artifact://{id}");
  });
});

describe("batches", () => {
  it("are answered together in 2025-03-26", async () => {
    const { client } = await openServer();
    await client.initialize("2025-03-26");
    client.write(
      JSON.stringify([
        { jsonrpc: "2.0", id: "a", method: "ping" },
        { jsonrpc: "2.0", method: "notifications/unknown" },
        { jsonrpc: "2.0", id: "b", method: "no/such" },
      ]),
    );
    expect((await client.waitFor(({ id }) => id === "a")).result).toEqual({});
    expect((await client.waitFor(({ id }) => id === "b")).error).toMatchObject({ code: -32601 });
  });

  it.each(["2025-06-18", "2024-11-05"])("are refused in %s", async (version) => {
    const { client } = await openServer();
    await client.initialize(version);
    client.write(JSON.stringify([{ jsonrpc: "2.0", id: "a", method: "ping" }]));
    const refusal = await client.waitFor(({ id }) => id === null);
    expect(refusal.error).toMatchObject({ code: -32600 });
  });
});

describe("logging and changes", () => {
  it("takes a level, and refuses one that does not exist", async () => {
    const { client } = await openServer();
    await client.initialize();
    expect((await client.request("logging/setLevel", { level: "info" })).result).toEqual({});
    const { error } = await client.request("logging/setLevel", { level: "loud" });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("warning") });
  });
});
