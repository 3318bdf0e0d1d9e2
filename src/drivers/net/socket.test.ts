// WebSockets through our own connector: the address policy, TLS, limits, and every way to end.

import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { eventually } from "../../../test/fakes/eventually.js";
import { isToolError, type SocketEnd, type SocketRequest } from "../../core/index.js";
import { createNet, type NetOptions } from "./index.js";

const TLS = join(import.meta.dirname, "../../../test/data/tls");
const cert = readFileSync(join(TLS, "certificate.pem"), "utf8");
const key = readFileSync(join(TLS, "key.pem"), "utf8");
const HOST = "127.0.0.1";

interface Served {
  readonly url: string;
  readonly peers: WebSocket[];
}

/** Echoes, and answers `/refused` with 401. */
async function serve(scheme: "ws" | "wss" = "ws"): Promise<Served> {
  const server = scheme === "wss" ? createSecureServer({ cert, key }) : createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const peers: WebSocket[] = [];
  server.on("upgrade", (request, connection, head) => {
    if (request.url === "/silent") return;
    if (request.url === "/refused") {
      connection.end("HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, connection, head, (peer) => {
      peers.push(peer);
      peer.send(`hello ${request.headers.authorization ?? "stranger"}`);
      peer.on("message", (data, isBinary) => peer.send(data, { binary: isBinary }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  onTestFinished(() => {
    for (const peer of peers) peer.terminate();
    server.closeAllConnections();
    server.close();
  });
  return { url: `${scheme}://${HOST}:${(server.address() as AddressInfo).port}/`, peers };
}

const OPEN = { policy: { allowedHostnames: [HOST] } };

function open(url: string, more: Partial<SocketRequest> = {}, options: NetOptions = OPEN) {
  const net = createNet(options);
  onTestFinished(() => net.close());
  const messages: (string | Uint8Array)[] = [];
  const ends: SocketEnd[] = [];
  const request: SocketRequest = {
    ...{ url, timeoutMs: 30_000, signal: new AbortController().signal },
    onMessage: (data) => messages.push(data),
    onClose: (end) => ends.push(end),
    ...more,
  };
  return { net, messages, ends, opened: net.socket(request) };
}

async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isToolError(error)) throw new Error(`not refused: ${String(error)}`);
  return { code: error.code, reason: error.reason, details: error.details };
}

describe("a socket", () => {
  it("carries texts and bytes both ways, with headers and a subprotocol", async () => {
    const { url } = await serve();
    const headers = { authorization: "Bearer x" };
    const { opened, messages, ends } = open(url, { headers, protocols: ["one", "two"] });
    const socket = await opened;
    expect(socket.protocol).toBe("one");
    await socket.send("häl");
    await socket.send(new Uint8Array([1, 2, 255]));
    await eventually(() => expect(messages).toHaveLength(3));
    expect(messages).toEqual(["hello Bearer x", "häl", Buffer.from([1, 2, 255])]);
    await socket.close(1000, "done");
    expect(ends).toEqual([{ code: 1000, reason: "done", error: undefined }]);
    expect(await refusalOf(socket.send("late"))).toMatchObject({
      reason: "socket_closed",
      details: { sent: "no" },
    });
  });

  it("goes only where the policy lets it, and never leaves when it does not", async () => {
    const { url, peers } = await serve();
    const { opened } = open(url, {}, {});
    expect(await refusalOf(opened)).toMatchObject({
      code: "denied",
      reason: "address_refused",
      details: { sent: "no" },
    });
    // A name that leads to this machine is no way around it.
    const resolve = async () => [HOST];
    const { port } = new URL(url);
    expect(await refusalOf(open(`ws://a.example:${port}/`, {}, { resolve }).opened)).toMatchObject({
      reason: "address_refused",
    });
    expect(peers).toHaveLength(0);
    const allowed = open(url, { alsoAllowedHostnames: [HOST] }, {});
    await expect(allowed.opened).resolves.toBeDefined();
  });

  it.each(["http://a.example/", "file:///etc/passwd", "wss"])("refuses %s", async (url) => {
    expect(await refusalOf(open(url).opened)).toMatchObject({ reason: "scheme_refused" });
  });

  it("tells the status with which a server refused it", async () => {
    const { url } = await serve();
    expect(await refusalOf(open(`${url}refused`).opened)).toMatchObject({
      code: "failed",
      reason: "handshake_refused",
      details: { status: 401, sent: "maybe" },
    });
  });

  it("gives up a handshake that takes too long, or whose caller gave up", async () => {
    const { url } = await serve();
    expect(await refusalOf(open(`${url}silent`, { timeoutMs: 200 }).opened)).toMatchObject({
      reason: "net_timeout",
      details: { sent: "maybe" },
    });
    const controller = new AbortController();
    const { opened } = open(`${url}silent`, { signal: controller.signal });
    controller.abort();
    expect(await refusalOf(opened)).toMatchObject({ code: "aborted" });
  });

  it("says that nothing left when nobody listens", async () => {
    const { opened } = open(`ws://${HOST}:1/`);
    expect(await refusalOf(opened)).toMatchObject({
      reason: "connection_failed",
      details: { sent: "no" },
    });
  });
});

describe("an open socket ends", () => {
  it("at a message that is too large", async () => {
    const { url, peers } = await serve();
    const { opened, ends } = open(url, { maxPayload: 100 });
    await opened;
    peers[0]?.send("x".repeat(101));
    await eventually(() => expect(ends).toHaveLength(1));
    expect(ends[0]?.error).toBeDefined();
  });

  it("with its signal, with the peer, and with the port", async () => {
    const { url, peers } = await serve();
    const controller = new AbortController();
    const aborted = open(url, { signal: controller.signal });
    await aborted.opened;
    controller.abort();
    await eventually(() => expect(aborted.ends).toMatchObject([{ code: 1006 }]));
    const left = open(url);
    await left.opened;
    peers.at(-1)?.close(4001, "go away");
    await eventually(() =>
      expect(left.ends).toEqual([{ code: 4001, reason: "go away", error: undefined }]),
    );
    const closed = open(url);
    await closed.opened;
    await closed.net.close();
    await eventually(() =>
      expect(closed.ends).toMatchObject([{ error: { reason: "net_closed" } }]),
    );
  });

  it("when a peer no longer answers pings", async () => {
    const { url, peers } = await serve();
    const { opened, ends } = open(url, { keepAliveMs: 50 });
    await opened;
    peers[0]?.pause();
    await eventually(() => expect(ends).toMatchObject([{ error: { code: "timeout" } }]));
  });
});

describe("over TLS", () => {
  it("trusts an authority that is given, or exactly the pinned certificate", async () => {
    const { url } = await serve("wss");
    const { fingerprint256 } = new X509Certificate(cert);
    expect(await refusalOf(open(url).opened)).toMatchObject({
      reason: "connection_failed",
      details: { sent: "no" },
    });
    await expect(open(url, { fingerprint: fingerprint256 }).opened).resolves.toBeDefined();
    const plain = fingerprint256.replaceAll(":", "").toLowerCase();
    await expect(open(url, { fingerprint: plain }).opened).resolves.toBeDefined();
    const other = plain.replace(/^./, (digit) => (digit === "0" ? "1" : "0"));
    expect(await refusalOf(open(url, { fingerprint: other }).opened)).toMatchObject({
      code: "denied",
      reason: "certificate_mismatch",
      details: { sent: "no", fingerprint: fingerprint256 },
    });
  });
});
