// Garbage, half and oversized frames on a stream: a typed error each, and the session goes on.

import { describe, expect, it } from "vitest";
import { createLineFrames, MAX_MESSAGE_BYTES, parseJson } from "../../src/mcp/server/json-rpc.js";
import { openServer } from "./open-server.js";

const MEBIBYTE = 1024 * 1024;

describe("a stream with faults", () => {
  it.each([
    ["no JSON at all", "hello", -32700],
    ["half of an object", '{"jsonrpc":"2.0","id":1', -32700],
    ["a number", "7", -32600],
    ["null", "null", -32600],
    ["no version", '{"id":9,"method":"ping"}', -32600],
    ["neither method nor result", '{"jsonrpc":"2.0","id":9}', -32600],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ["params that are a list", '{"jsonrpc":"2.0","id":9,"method":"ping","params":[]}', -32600],
    ["levels without end", `${"[".repeat(100_000)}`, -32600],
    ["a method that is not there", '{"jsonrpc":"2.0","id":9,"method":"__proto__"}', -32601],
  ])("answers %s with an error, and goes on", async (_, text, code) => {
    const { client } = await openServer();
    await client.initialize();
    client.write(text);
    const answer = await client.waitFor(({ error }) => error !== undefined);
    expect(answer.error?.code).toBe(code);
    expect((await client.request("ping")).result).toEqual({});
  });

  it("refuses bytes that are no UTF-8, and writes no file with other letters", async () => {
    const { client, input } = await openServer({ files: { "a.txt": "as it was" } });
    await client.initialize();
    const text = JSON.stringify({
      jsonrpc: "2.0",
      id: 9,
      method: "tools/call",
      params: { name: "write", arguments: { path: "a.txt", content: "caf\xe9" } },
    });
    input.write(Buffer.from(`${text}\n`, "latin1"));
    const answer = await client.waitFor(({ error }) => error !== undefined);
    expect(answer).toMatchObject({ id: null, error: { code: -32700 } });
    const { result } = await client.request("tools/call", {
      name: "read",
      arguments: { path: "a.txt" },
    });
    expect(JSON.stringify(result)).toContain("as it was");
  });

  it("throws a message away that is too large, while it comes, and goes on", async () => {
    const { client, input } = await openServer();
    await client.initialize();
    const beforeBytes = process.memoryUsage().arrayBuffers;
    const part = Buffer.alloc(MEBIBYTE, "x");
    for (let sent = 0; sent < 256 * MEBIBYTE; sent += part.length) {
      if (!input.write(part)) await new Promise((resolve) => input.once("drain", resolve));
    }
    const grownBytes = process.memoryUsage().arrayBuffers - beforeBytes;
    client.write("");
    const answer = await client.waitFor(({ error }) => error !== undefined);
    expect(answer.error).toMatchObject({
      code: -32600,
      message: expect.stringContaining("larger"),
    });
    expect(grownBytes).toBeLessThan(64 * MEBIBYTE);
    expect((await client.request("ping")).result).toEqual({});
  });

  it("says that the input ended in the middle of a message", async () => {
    const { client, input, server } = await openServer();
    await client.initialize();
    input.end('{"jsonrpc":"2.0","id":1,"meth');
    const answer = await client.waitFor(({ error }) => error !== undefined);
    expect(answer.error?.code).toBe(-32700);
    await server.closed;
  });

  it("still answers what was asked right before the end of the input", async () => {
    const { client, input, server } = await openServer({ files: { "a.txt": "last" } });
    await client.initialize();
    const call = { name: "read", arguments: { path: "a.txt" } };
    // The first call of a tool loads it.
    await client.request("tools/call", call);
    const { answer } = client.begin("tools/call", call);
    input.end();
    expect(JSON.stringify((await answer).result)).toContain("last");
    await server.closed;
  });
});

describe("lines", () => {
  it("come whole however they were cut, byte by byte and several at once", () => {
    const lines: string[] = [];
    const frames = createLineFrames({
      maxBytes: 100,
      onLine: (line) => lines.push(line),
      onTooLong: () => lines.push("too long"),
      onNoText: () => lines.push("no text"),
    });
    for (const byte of Buffer.from("häß\n")) frames.push(Uint8Array.of(byte));
    frames.push(Buffer.from("a\r\n\n  \nb\nc"));
    frames.push(Buffer.from(`\n${"x".repeat(101)}`));
    frames.push(Buffer.from("x\nd\n"));
    frames.push(Uint8Array.of(0xff, 0x0a, 0x65, 0x0a));
    expect(lines).toEqual(["häß", "a", "b", "c", "too long", "d", "no text", "e"]);
    expect(frames.pendingBytes()).toBe(0);
  });

  it("may be as long as the largest message", () => {
    const text = `"${"x".repeat(MAX_MESSAGE_BYTES - 2)}"`;
    expect(parseJson(text)).toHaveLength(MAX_MESSAGE_BYTES - 2);
  });
});
