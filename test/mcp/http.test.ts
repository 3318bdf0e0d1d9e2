// Streamable HTTP: sessions, plain answers and streams, cancellation, questions; with the official
// clients as well.

import {
  Client as SecondClient,
  StreamableHTTPClientTransport as SecondTransport,
} from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { defineTool, t } from "clawtools";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { eventually } from "../fakes/eventually.js";
import { openHttp, TOKEN } from "./open-http.js";
import { ASKING } from "./open-server.js";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const ME = { name: "test", version: "1.0.0" };
const withToken = { requestInit: { headers: { authorization: `Bearer ${TOKEN}` } } };

const stepping = defineTool({
  name: "stepping",
  description: "Tells each step.",
  parameters: t.object({}),
  execute: async ({ update }) => {
    update({ content: [{ type: "text", text: "one" }] });
    return { content: [{ type: "text", text: "done" }] };
  },
});

const callOf = (params: object) => ({ jsonrpc: "2.0", id: 5, method: "tools/call", params });

/** The messages of a stream of events. */
function eventsOf(body: string): unknown[] {
  return body
    .split("\n\n")
    .flatMap((event) => event.split("\n").filter((line) => line.startsWith("data: ")))
    .map((line) => JSON.parse(line.slice(6)));
}

describe("sessions", () => {
  it("begin with initialize, are known by an id, and end with DELETE", async () => {
    const { send, hello } = await openHttp();
    expect((await send({ body: PING })).status).toBe(400);
    const id = await hello();
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    const headers = { "mcp-session-id": id };
    const { status, body } = await send({ headers, body: PING });
    expect([status, JSON.parse(body)]).toEqual([200, { jsonrpc: "2.0", id: 1, result: {} }]);
    expect((await send({ method: "DELETE", headers })).status).toBe(204);
    expect((await send({ headers, body: PING })).status).toBe(404);
  });

  it("take notifications without an answer", async () => {
    const { send, hello } = await openHttp();
    const headers = { "mcp-session-id": await hello() };
    const body = { jsonrpc: "2.0", method: "notifications/initialized" };
    expect(await send({ headers, body })).toMatchObject({ status: 202, body: "" });
  });

  it("refuse a version of the protocol that is not spoken", async () => {
    const { send, hello } = await openHttp();
    const headers = { "mcp-session-id": await hello(), "mcp-protocol-version": "1999-01-01" };
    expect((await send({ headers, body: PING })).status).toBe(400);
  });

  it("make room for new ones, but not at the cost of one in use", async () => {
    const { send, hello } = await openHttp({ maxSessions: 2 });
    const [first, second] = [await hello(), await hello()];
    await send({ headers: { "mcp-session-id": first }, body: PING });
    const third = await hello();
    const statusOf = async (id: string) =>
      (await send({ headers: { "mcp-session-id": id }, body: PING })).status;
    expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual([
      200, 404, 200,
    ]);
  });

  it("end when nobody uses them", async () => {
    const { send, hello } = await openHttp({ idleMs: 50 });
    const headers = { "mcp-session-id": await hello() };
    // Each look uses the session, so they must be further apart than it may be idle.
    await vi.waitFor(async () => expect((await send({ headers, body: PING })).status).toBe(404), {
      timeout: 30_000,
      interval: 400,
    });
  });
});

it("a session whose call waits for an approval outlives one that no one uses", async () => {
  const wish = { toolkit: ASKING, server: { approvalWaitMs: 50 } };
  const { send, hello } = await openHttp({ idleMs: 50 }, wish);
  const waiting = { "mcp-session-id": await hello() };
  const asked = await send({
    headers: waiting,
    body: callOf({ name: "exec", arguments: { command: "touch waits" } }),
  });
  expect(asked.body).toContain("approv");
  const idle = { "mcp-session-id": await hello() };
  await vi.waitFor(
    async () => expect((await send({ headers: idle, body: PING })).status).toBe(404),
    { timeout: 10_000, interval: 400 },
  );
  expect((await send({ headers: waiting, body: PING })).status).toBe(200);
});

describe("answers", () => {
  it("are plain when nothing comes before them, and a stream when something does", async () => {
    const { send, hello } = await openHttp({}, { toolkit: { tools: [stepping] } });
    const headers = { "mcp-session-id": await hello() };
    const plain = await send({ headers, body: callOf({ name: "stepping" }) });
    expect(plain.headers["content-type"]).toBe("application/json");
    const body = callOf({ name: "stepping", _meta: { progressToken: 7 } });
    const streamed = await send({ headers, body });
    expect(streamed.headers["content-type"]).toBe("text/event-stream");
    expect(eventsOf(streamed.body)).toMatchObject([
      { method: "notifications/progress", params: { progressToken: 7, message: "one" } },
      { id: 5, result: { content: [{ text: "done" }] } },
    ]);
  });

  it("are plain for a client that takes no streams", async () => {
    const { send, hello } = await openHttp({}, { toolkit: { tools: [stepping] } });
    const headers = { "mcp-session-id": await hello(), accept: "application/json" };
    const body = callOf({ name: "stepping", _meta: { progressToken: 7 } });
    const answer = await send({ headers, body });
    expect(JSON.parse(answer.body)).toMatchObject({ id: 5 });
  });

  it("to a client that went away are not worked on any more", async () => {
    const ended = vi.fn();
    const endless = defineTool({
      name: "endless",
      description: "Goes on until it is stopped.",
      parameters: t.object({}),
      execute: ({ signal, update }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            ended();
            reject(signal.reason);
          });
          update({ content: [{ type: "text", text: "begun" }] });
        }),
    });
    const { hello, port } = await openHttp({}, { toolkit: { tools: [endless] } });
    const leaving = new AbortController();
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: "POST",
      signal: leaving.signal,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-session-id": await hello(),
      },
      body: JSON.stringify(callOf({ name: "endless", _meta: { progressToken: 1 } })),
    });
    expect(response.status).toBe(200);
    leaving.abort();
    await eventually(() => expect(ended).toHaveBeenCalledOnce());
  });

  it("of two clients are kept apart", async () => {
    const { send, hello } = await openHttp({}, { files: { "a.txt": "x" } });
    const [one, other] = [await hello(), await hello()];
    const body = callOf({ name: "read", arguments: { path: "a.txt" } });
    const both = await Promise.all(
      [one, other].map((id) => send({ headers: { "mcp-session-id": id }, body })),
    );
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe("a stream for what belongs to no request", () => {
  it("is one a session", async () => {
    const { hello, port, send } = await openHttp();
    const id = await hello();
    const leaving = new AbortController();
    onTestFinished(() => leaving.abort());
    const headers = { authorization: `Bearer ${TOKEN}`, "mcp-session-id": id };
    const opened = await fetch(`http://127.0.0.1:${port}/mcp`, { headers, signal: leaving.signal });
    expect(opened.headers.get("content-type")).toBe("text/event-stream");
    const again = await send({ method: "GET", headers: { "mcp-session-id": id } });
    expect(again.status).toBe(409);
  });
});

describe("the official libraries", () => {
  it("list and call over HTTP, version 1, and show a question", async () => {
    const { server } = await openHttp({}, { toolkit: ASKING, files: { "a.txt": "over http" } });
    const client = new FirstClient(ME, { capabilities: { elicitation: {} } });
    onTestFinished(() => client.close());
    const asked: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: { decision: "allow-once" } };
    });
    const transport = new FirstTransport(new URL(server.url ?? ""), withToken);
    // The library's own types disagree under exactOptionalPropertyTypes.
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    expect((await client.listTools()).tools.length).toBeGreaterThan(3);
    const read = await client.callTool({ name: "read", arguments: { path: "a.txt" } });
    expect(read.content).toEqual([{ type: "text", text: "over http" }]);
    const ran = await client.callTool({ name: "exec", arguments: { command: "echo asked" } });
    expect(JSON.stringify(ran.content)).toContain("asked");
    expect(asked).toHaveLength(1);
    await transport.terminateSession();
  });

  it("list and call over HTTP, version 2", async () => {
    const { server } = await openHttp({}, { files: { "a.txt": "over http" } });
    const client = new SecondClient(ME);
    onTestFinished(() => client.close());
    await client.connect(new SecondTransport(new URL(server.url ?? ""), withToken));
    expect((await client.listTools()).tools.length).toBeGreaterThan(3);
    const read = await client.callTool({ name: "read", arguments: { path: "a.txt" } });
    expect(JSON.stringify(read.content)).toContain("over http");
  });
});

describe("serveMcp", () => {
  it("says what is wrong with its options", async () => {
    await expect(openHttp({ port: 70_000 })).rejects.toThrow("http.port");
    const { port } = await openHttp();
    await expect(openHttp({ port })).rejects.toMatchObject({
      code: "unavailable",
      reason: "port_unusable",
    });
    await expect(openHttp({}, { server: { approvalWaitMs: -1 } })).rejects.toThrow(
      "approvalWaitMs",
    );
  });

  it("leaves no connection when it is closed", async () => {
    const { server, hello } = await openHttp();
    await hello();
    await server.close();
    await expect(fetch(server.url ?? "")).rejects.toThrow();
  });
});

describe("two clients", () => {
  it("have loops of their own", async () => {
    const config = { tools: { loopDetection: { warnAt: 2, stopAt: 3 } } };
    const { send, hello } = await openHttp({}, { toolkit: { tools: [stepping], config } });
    const [one, other] = [await hello(), await hello()];
    const call = async (id: string) => {
      const headers = { "mcp-session-id": id };
      return (await send({ headers, body: callOf({ name: "stepping", arguments: {} }) })).body;
    };
    for (let count = 0; count < 3; count++) expect(await call(one)).toContain("done");
    expect(await call(one)).toContain("isError");
    expect(await call(other)).toContain("done");
  });
});
