// Attacks on the port, each over real sockets: who must not get in, and what must not hurt others.

import { connect as connectTcp } from "node:net";
import { createGateway } from "clawtools/gateway";
import { describe, expect, it } from "vitest";
import { makeDevice, openClient, sendConnect } from "./client.js";
import { assertServes, makeFolder, openRaw, startGateway } from "./start-gateway.js";

/** The status line of a raw HTTP request. */
function rawRequest(port: number, head: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp(port, "127.0.0.1", () => socket.write(`${head}\r\n\r\n`));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
      socket.destroy();
    });
    socket.on("close", () => resolve(text.split("\r\n")[0] ?? ""));
    socket.on("error", reject);
  });
}

describe("a request from a web page or under another name", () => {
  const upgrade =
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
  it.each([
    ["a rebinding name", (port: number) => `GET / HTTP/1.1\r\nHost: evil.example:${port}`],
    ["no host", () => "GET / HTTP/1.1"],
    [
      "two hosts",
      (port: number) => `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: 127.0.0.1:${port}`,
    ],
    [
      "an absolute address",
      (port: number) => `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}`,
    ],
    [
      "a foreign origin",
      (port: number) => `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: https://evil.example`,
    ],
    [
      "the null origin",
      (port: number) => `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: null`,
    ],
    [
      "an origin that begins like ours",
      (port: number) =>
        `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1.evil:${port}`,
    ],
    [
      "another port of ours",
      (port: number) => `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:1`,
    ],
    [
      "a page elsewhere",
      (port: number) => `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nSec-Fetch-Site: cross-site`,
    ],
    [
      "a proxy that is not trusted",
      (port: number) => `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Forwarded-For: 10.0.0.1`,
    ],
  ])("is refused before the upgrade and over HTTP: %s", async (_, head) => {
    const { gateway } = await startGateway();
    const upgraded = await rawRequest(gateway.port, `${head(gateway.port)}\r\n${upgrade}`);
    expect(upgraded).toMatch(/^HTTP\/1\.1 40[03] /);
    const plain = head(gateway.port)
      .replace("GET ", "POST ")
      .replace(/ (?:http:\/\/[^/]*)?\/ /, (path) => path.replace(/\/ $/, "/tools/invoke "));
    expect(await rawRequest(gateway.port, plain)).toMatch(/^HTTP\/1\.1 40[03] /);
  });

  it("passes from this machine without an origin", async () => {
    const started = await startGateway();
    const head = `GET / HTTP/1.1\r\nHost: localhost:${started.gateway.port}\r\n${upgrade}`;
    expect(await rawRequest(started.gateway.port, head)).toBe("HTTP/1.1 101 Switching Protocols");
  });
});

describe("HTTP", () => {
  const post = (url: string, token: string | undefined, headers: Record<string, string> = {}) =>
    fetch(`${url}/tools/invoke`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: JSON.stringify({ tool: "session_status", args: {} }),
    });

  it("refuses a missing and a wrong token, one in the address, and bodies that a form could send", async () => {
    const { gateway, token } = await startGateway();
    expect((await post(gateway.httpUrl, undefined)).status).toBe(401);
    expect((await post(gateway.httpUrl, `${token}x`)).status).toBe(401);
    expect((await post(`${gateway.httpUrl}/?token=${token}`, undefined)).status).not.toBe(200);
    const form = { "content-type": "text/plain" };
    expect((await post(gateway.httpUrl, token, form)).status).toBe(403);
    expect((await fetch(`${gateway.httpUrl}/tools/invoke`)).status).toBe(405);
    expect((await fetch(`${gateway.httpUrl}/metrics`)).status).toBe(401);
    expect(await (await fetch(`${gateway.httpUrl}/healthz`)).json()).toEqual({
      ok: true,
      status: "live",
    });
  });

  it("answers wrong tokens with 429 after ten, and the right one all the same", async () => {
    const { gateway, token } = await startGateway();
    const statuses = [];
    for (let count = 0; count < 12; count++) {
      statuses.push((await post(gateway.httpUrl, `wrong-token-number-${count}`)).status);
    }
    expect(statuses.at(0)).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    expect((await post(gateway.httpUrl, token)).status).not.toBe(429);
  });

  it("gives a device token the routes of its scopes, also after wrong tokens", async () => {
    const { gateway, token } = await startGateway();
    const tokenFor = async (seed: number, scope: string) => {
      const client = openClient(gateway.url);
      const hello = await sendConnect(client, {
        ...{ device: makeDevice(seed), scopes: [scope], auth: { token } },
      });
      client.close();
      return (hello.payload as { auth: { deviceToken: string } }).auth.deviceToken;
    };
    const reader = await tokenFor(21, "operator.read");
    const writer = await tokenFor(22, "operator.write");
    const send = async (path: string, bearer: string, body: object = {}) =>
      await fetch(gateway.httpUrl + path, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          authorization: `Bearer ${bearer}`,
        },
        body: JSON.stringify(body),
      });
    expect((await send("/mcp", reader)).status).toBe(403);
    expect((await send("/mcp", writer)).status).toBe(403);
    expect((await send("/tools/invoke", reader, { tool: "ls" })).status).toBe(403);
    for (let count = 0; count < 12; count++) await send("/tools/invoke", `wrong-${count}`);
    expect((await send("/tools/invoke", writer, { tool: "ls" })).status).toBe(200);
    const principal = { role: "operator", scopes: ["operator.write"], connId: "t" } as const;
    for (const name of ["gateway", "cron"]) {
      const call = { name, args: { action: "status" } };
      expect(await gateway.call("tools.invoke", call, { principal })).toMatchObject({ ok: false });
    }
  });

  it("ends the open requests of a device that is revoked", async () => {
    const { gateway, token } = await startGateway();
    const client = openClient(gateway.url);
    const device = makeDevice(23);
    const hello = await sendConnect(client, {
      ...{ device, scopes: ["operator.admin"], auth: { token } },
    });
    const { deviceToken } = (hello.payload as { auth: { deviceToken: string } }).auth;
    const call = fetch(`${gateway.httpUrl}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${deviceToken}`,
      },
      // Without its end the request stays open.
      body: new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from("{")) }),
      duplex: "half",
    } as RequestInit);
    const ended = call.then(
      () => "answered",
      () => "ended",
    );
    await expect.poll(() => gateway.call("health")).toMatchObject({ ok: true });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await gateway.call("device.token.revoke", { deviceId: device.id, role: "operator" });
    expect(await ended).toBe("ended");
  });

  it("refuses the strong tools at /tools/invoke under every spelling", async () => {
    const config = { gateway: { tools: { deny: ["Read"] } } };
    const { gateway, token } = await startGateway({ config });
    const names = ["exec", "Exec", "bash", " BASH ", "Write", "apply-patch", "GATEWAY", "Cron"];
    for (const tool of [...names, "read", "READ"]) {
      const answer = await fetch(`${gateway.httpUrl}/tools/invoke`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({ tool, args: {} }),
      });
      expect([tool, answer.status]).toEqual([tool, 404]);
    }
  });

  it("serves MCP and metrics to the holder of the token", async () => {
    const { gateway, token } = await startGateway();
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    const mcp = await fetch(`${gateway.httpUrl}/mcp`, { method: "POST", headers, body });
    expect(mcp.status).toBe(200);
    expect(mcp.headers.get("mcp-session-id")).toMatch(/^[0-9a-f]{32}$/);
    const metrics = await (await fetch(`${gateway.httpUrl}/metrics`, { headers })).text();
    expect(metrics).toMatch(/^clawtools_gateway_connections \d+$/m);
  });
});

describe("frames", () => {
  it("larger than 64 KiB before the hello end the connection with 1009", async () => {
    const started = await startGateway();
    const client = openClient(started.gateway.url);
    await client.next(({ event }) => event === "connect.challenge");
    client.send("x".repeat(64 * 1024 + 1));
    expect((await client.closed).code).toBe(1009);
    await assertServes(started);
  });

  it("larger than 25 MiB after it too, others stay", async () => {
    const started = await startGateway();
    const client = await started.operator();
    client.send("x".repeat(25 * 1024 * 1024 + 1));
    expect((await client.closed).code).toBe(1009);
    await assertServes(started);
  });

  it("that announce 100 MB are refused by their head, before anything is read", async () => {
    const started = await startGateway();
    const head = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${started.gateway.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
    const socket = await openRaw(started.gateway.port);
    const ended = new Promise((done) => socket.once("close", done));
    const received: Buffer[] = [];
    socket.on("data", (chunk) => received.push(chunk));
    socket.write(head);
    // A masked text frame with a length of 64 bits, and no content.
    const frame = Buffer.alloc(14);
    frame.writeUInt16BE(0x81ff, 0);
    frame.writeBigUInt64BE(100_000_000n, 2);
    socket.write(frame);
    await ended;
    // The close frame with code 1009.
    expect(Buffer.concat(received).includes(Buffer.from([0x03, 0xf1]))).toBe(true);
    await assertServes(started);
  });

  it("that are deep, binary, or name prototypes get an error or an end, and pollute nothing", async () => {
    const started = await startGateway();
    const client = await started.operator();
    const deep = `{"type":"req","id":"d","method":"health","params":${"[".repeat(100_000)}`;
    client.send(deep);
    const answer = await client.next(({ type, ok }) => type === "res" && ok === false);
    expect(answer.error?.message).toContain("nests deeper");
    for (const method of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      const refused = await client.request(method);
      expect(refused.error?.message).toBe(`unknown method: ${method}`);
    }
    const params = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}}}',
    );
    expect((await client.request("health", params)).ok).toBe(true);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    client.send('{"type":"req","id":7,"method":"health"}');
    expect(await client.next(({ id }) => id === 7)).toMatchObject({ ok: false });
    client.socket.send(Buffer.from([1, 2, 3]));
    expect((await client.closed).code).toBe(1003);
    await assertServes(started);
  });

  it("of more than 64 requests at once are told to wait", async () => {
    const { operator } = await startGateway();
    const client = await operator();
    const asks = Array.from({ length: 70 }, (_, index) =>
      client.request("exec.approval.request", { id: `a${index}`, command: "x", timeoutMs: 60_000 }),
    );
    const refused = await client.next(({ error }) => error?.details?.code === "TOO_MANY_REQUESTS");
    expect(refused.error?.retryable).toBe(true);
    client.socket.terminate();
    await Promise.allSettled(asks);
  });
});

it("a challenge cannot be used twice", async () => {
  const { gateway, token } = await startGateway();
  const first = openClient(gateway.url);
  const challenge = await first.next(({ event }) => event === "connect.challenge");
  const { nonce } = challenge.payload as { nonce: string };
  const device = makeDevice(9);
  const again = openClient(gateway.url);
  const refused = await sendConnect(again, { device, nonce, auth: { token } });
  expect(refused.error?.details?.code).toBe("DEVICE_AUTH_NONCE_MISMATCH");
  first.close();
});

it("a second gateway on the state folder is told who holds it", async () => {
  const { stateDir, root } = await startGateway();
  await expect(createGateway({ root, stateDir, port: 0 })).rejects.toThrow(
    /is held by "clawtools gateway" \(process \d+/,
  );
});

it("a port that is taken, and auth mode none on the network, are refused with what to do", async () => {
  const { gateway, root } = await startGateway();
  const stateDir = `${makeFolder()}/state`;
  await expect(createGateway({ root, stateDir, port: gateway.port })).rejects.toThrow(
    `Cannot listen on 127.0.0.1:${gateway.port}: another program uses it.`,
  );
  const open = { gateway: { auth: { mode: "none" }, bind: "lan" } } as const;
  await expect(createGateway({ root, stateDir, port: 0, config: open })).rejects.toThrow(
    "works on loopback only",
  );
});

it("no secret reaches the log", async () => {
  const { gateway, token, operator } = await startGateway();
  const client = await operator();
  await client.request("tools.invoke", { name: `Bearer ${token}` });
  const tail = await client.request("logs.tail", {});
  expect(JSON.stringify(tail.payload)).not.toContain(token);
  await gateway.close();
});

it("serves TLS with a certificate of its own making", async () => {
  const config = { gateway: { tls: { enabled: true } } };
  const { gateway, operator } = await startGateway({ config });
  expect(gateway.url).toMatch(/^wss:/);
  const client = await operator();
  expect((await client.request("health")).ok).toBe(true);
});
