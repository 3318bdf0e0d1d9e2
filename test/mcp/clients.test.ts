// Foreign clients against `clawtools mcp` in a real child process: the two official libraries, and
// one that speaks by hand. Each lists every tool and calls every tool.

import { Client as SecondClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as SecondTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { assertBuilt } from "../fakes/run-node.js";
import { sampleArguments } from "../fakes/sample-arguments.js";
import { makePlace, type Place, startChild } from "./child-server.js";
import { type ListedTool, toolsOf } from "./hand-client.js";

const FILES = { "a.txt": "hello\n" };
/** What surely works; every other tool is called with what its schema lets through. */
const CALLS: Readonly<Record<string, Record<string, unknown>>> = {
  read: { path: "a.txt" },
  write: { path: "b.txt", content: "text" },
  edit: { path: "a.txt", oldText: "hello", newText: "bye" },
  exec: { command: "echo through" },
  process: { action: "list" },
};

type Call = (params: { name: string; arguments: Record<string, unknown> }) => Promise<object>;

async function callAll(
  tools: ReadonlyArray<Pick<ListedTool, "name" | "inputSchema">>,
  call: Call,
): Promise<void> {
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(CALLS)));
  for (const { name, inputSchema } of tools) {
    const known = CALLS[name];
    const answer = await call({ name, arguments: known ?? sampleArguments(inputSchema) });
    expect(answer, name).toMatchObject({ content: expect.any(Array) });
    if (known) expect(answer, name).not.toMatchObject({ isError: true });
  }
}

const toSpawn = ({ args, env }: Place) => ({
  command: process.execPath,
  args: [...args],
  env: { ...env },
});

const ME = { name: "test", version: "1.0.0" };

describe("clawtools mcp", () => {
  it("serves the official library, version 1", async () => {
    await assertBuilt();
    const place = await makePlace(FILES);
    const client = new FirstClient(ME);
    onTestFinished(() => client.close());
    await client.connect(new FirstTransport(toSpawn(place)));
    expect(client.getServerVersion()).toMatchObject({ name: "clawtools" });
    expect(client.getInstructions()).toContain("read");
    const { tools } = await client.listTools();
    await callAll(tools, (params) => client.callTool(params));
  });

  it("serves the official library, version 2", async () => {
    await assertBuilt();
    const place = await makePlace(FILES);
    const client = new SecondClient(ME);
    onTestFinished(() => client.close());
    await client.connect(new SecondTransport(toSpawn(place)));
    const { tools } = await client.listTools();
    await callAll(tools, (params) => client.callTool(params));
  });

  it.each(["2024-11-05", "2025-03-26"])(
    "serves a client by hand that speaks %s",
    async (version) => {
      const { client, child, ended, errors } = await startChild(await makePlace(FILES));
      const hello = await client.initialize(version);
      expect(hello.result?.protocolVersion).toBe(version);
      const { result } = await client.request("tools/list");
      await callAll(toolsOf(result), async (params) => {
        const { result: answer, error } = await client.request("tools/call", params);
        expect(error).toBeUndefined();
        return answer ?? {};
      });
      child.stdin.end();
      expect(await ended).toBe(0);
      expect(errors()).toBe("");
    },
  );
});
