// Tunnels and upgrades through the filtering proxy, the proxy behind it, and how everything ends.
import { createHash } from "node:crypto";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listen } from "../../security/net/net-setting.js";
import {
  ALLOWED,
  askVia,
  connectVia,
  createSetting,
  dialFilter,
  LOOPBACK,
  originOf,
  readAll,
  readUntil,
  type Setting,
} from "./filter-setting.js";

let setting: Setting;
const extras: { close(): unknown }[] = [];
beforeEach(async () => {
  setting = await createSetting((_request, response) => void response.end("hello"));
});
afterEach(async () => {
  await setting.close();
  for (const extra of extras.splice(0)) await extra.close();
});

async function serveTcp(serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createTcpServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, ALLOWED, resolve));
  extras.push({
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe("a tunnel", () => {
  it("carries bytes both ways", async () => {
    const port = await serveTcp((socket) => socket.pipe(socket));
    const { status, socket } = await connectVia(setting.filter, `${ALLOWED}:${port}`);
    expect(status).toBe(200);
    socket.write("ping");
    expect(await readUntil(socket, "ping")).toBe("ping");
    socket.destroy();
  });

  it("has what the client sent together with its request", async () => {
    const port = await serveTcp((socket) => socket.pipe(socket));
    const socket = await dialFilter(setting.filter);
    socket.write(`CONNECT ${ALLOWED}:${port} HTTP/1.1\r\nHost: a\r\n\r\nearly`);
    expect(await readUntil(socket, "early")).toMatch(/^HTTP\/1\.1 200 .*early$/s);
    socket.destroy();
  });

  it("stays open one way when the other way has ended", async () => {
    const port = await serveTcp((socket) => {
      const hash = createHash("sha256");
      socket.on("data", (chunk) => hash.update(chunk));
      socket.on("end", () => socket.end(hash.digest("hex")));
    });
    const { socket } = await connectVia(setting.filter, `${ALLOWED}:${port}`);
    const body = Buffer.alloc(3_000_000, "abc");
    socket.end(body);
    expect(await readAll(socket)).toBe(createHash("sha256").update(body).digest("hex"));
  });

  it("stays open towards a server that has said all it has to say", async () => {
    let received = 0;
    const ended = new Promise<void>((resolve) => {
      void serveTcp((socket) => {
        socket.on("data", (chunk) => {
          received += chunk.length;
        });
        socket.on("end", resolve);
        socket.end("bye");
      }).then(async (port) => {
        const { socket } = await connectVia(setting.filter, `${ALLOWED}:${port}`);
        socket.allowHalfOpen = true;
        socket.resume();
        socket.once("end", () => socket.end(Buffer.alloc(1_000_000)));
      });
    });
    await ended;
    expect(received).toBe(1_000_000);
  });

  it.each([
    ["an address", `${LOOPBACK}:PORT`],
    ["IPv6", "[::1]:PORT"],
    ["a number", "2130706433:PORT"],
    ["a name", "localhost:PORT"],
    ["an embedded address", "[::ffff:127.0.0.1]:PORT"],
  ])("to this machine by %s is refused before a connection", async (_what, form) => {
    const authority = form.replace("PORT", `${setting.canary.port}`);
    const { status, head, socket } = await connectVia(setting.filter, authority);
    expect(status).toBe(403);
    expect(head).toContain("clawtools-filter: address_refused");
    expect(setting.canary.hits()).toBe(0);
    const [problem] = setting.filter.problems();
    expect(setting.filter.problemOf(`https://${authority}/`, { sinceMs: 0 })).toBe(problem);
    socket.destroy();
  });

  it("whose client leaves is ended at the server, and the other way round", async () => {
    const met: Socket[] = [];
    const port = await serveTcp((socket) => met.push(socket.resume()));
    const first = await connectVia(setting.filter, `${ALLOWED}:${port}`);
    const second = await connectVia(setting.filter, `${ALLOWED}:${port}`);
    while (met.length < 2) await new Promise(setImmediate);
    const [one, two] = met;
    const ended = new Promise((resolve) => one?.once("end", resolve));
    first.socket.resetAndDestroy();
    await ended;
    const closed = readAll(second.socket);
    two?.resetAndDestroy();
    await closed;
    expect(setting.filter.counts().open).toBe(0);
  });

  it("in which nothing happens is ended after its time", async () => {
    await setting.close();
    setting = await createSetting((_request, response) => void response.end(), { maxIdleMs: 50 });
    const port = await serveTcp(() => undefined);
    const { socket } = await connectVia(setting.filter, `${ALLOWED}:${port}`);
    expect(await readAll(socket)).toBe("");
  });
});

describe("an upgrade in absolute form", () => {
  it("is sent on with its headers and becomes a tunnel", async () => {
    let head = "";
    const port = await serveTcp((socket) => {
      socket.once("data", (chunk) => {
        head = chunk.toString();
        socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n");
        socket.pipe(socket);
      });
    });
    const socket = await dialFilter(setting.filter);
    const key = "Sec-WebSocket-Key: abc";
    socket.write(
      `GET http://${ALLOWED}:${port}/live?a=1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n\r\n`,
    );
    expect(await readUntil(socket, "\r\n\r\n")).toMatch(/^HTTP\/1\.1 101 /);
    socket.write("frame");
    expect(await readUntil(socket, "frame")).toBe("frame");
    expect(head).toContain("GET /live?a=1 HTTP/1.1\r\n");
    expect(head).toContain(`Host: ${ALLOWED}:${port}\r\n`);
    expect(head).toContain(`${key}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`);
    socket.destroy();
  });

  it("to what the policy refuses is answered with 403", async () => {
    const socket = await dialFilter(setting.filter);
    socket.write(
      `GET ${originOf(setting.canary, LOOPBACK)}/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 403 /);
    expect(setting.canary.hits()).toBe(0);
  });
});

describe("the proxy behind it", () => {
  const asked: string[] = [];
  async function chain(noProxy: readonly string[] = []) {
    asked.length = 0;
    const behind = await listen((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers["proxy-authorization"]}`);
      response.end("by proxy");
    });
    behind.server.on("connect", (request, client: Socket) => {
      asked.push(`CONNECT ${request.url} ${request.headers["proxy-authorization"]}`);
      if (request.url?.startsWith("closed")) return client.end("HTTP/1.1 403 No\r\n\r\n");
      client.write("HTTP/1.1 200 OK\r\nX: y\r\n\r\nwelcome ");
      client.pipe(client);
      client.on("error", () => client.destroy());
    });
    extras.push(behind);
    await setting.close();
    setting = await createSetting((_request, response) => void response.end("direct"), {
      proxy: { url: `http://us%40er:pass@127.0.0.1:${behind.port}`, noProxy },
      resolve: () => Promise.reject(new Error("a proxy looks names up itself")),
    });
  }
  const credentials = `Basic ${Buffer.from("us@er:pass").toString("base64")}`;

  it("gets plain requests as a whole, with its own credentials", async () => {
    await chain();
    const { body } = await askVia(setting.filter, "http://a.example/x?y=1");
    expect(body).toBe("by proxy");
    expect(asked).toEqual([`GET http://a.example/x?y=1 ${credentials}`]);
  });

  it("is asked for tunnels, and nothing behind its answer is lost", async () => {
    await chain();
    const { status, socket } = await connectVia(setting.filter, "b.example:443");
    expect(status).toBe(200);
    socket.write("echo");
    expect(await readUntil(socket, "echo")).toBe("welcome echo");
    expect(asked).toEqual([`CONNECT b.example:443 ${credentials}`]);
    socket.destroy();
  });

  it("is not asked for what the rules refuse, nor for its exceptions", async () => {
    await chain([ALLOWED]);
    expect((await connectVia(setting.filter, "10.0.0.1:443")).status).toBe(403);
    expect((await askVia(setting.filter, "http://localhost:1/")).status).toBe(403);
    expect((await askVia(setting.filter, originOf(setting.server))).body).toBe("direct");
    expect(asked).toEqual([]);
  });

  it("that refuses a tunnel is told as a failure", async () => {
    await chain();
    expect((await connectVia(setting.filter, "closed.example:443")).status).toBe(502);
    const [problem] = setting.filter.problems();
    expect(problem?.error).toMatchObject({ code: "unavailable", reason: "connection_failed" });
    expect(problem?.error.message).toContain("answered 403");
  });
});

describe("closing it", () => {
  it("ends requests, tunnels and idle connections, and frees the port", async () => {
    const port = await serveTcp(() => undefined);
    const tunnel = await connectVia(setting.filter, `${ALLOWED}:${port}`);
    const idle = await dialFilter(setting.filter);
    const waiting = askVia(setting.filter, `http://${ALLOWED}:${port}/`).catch(() => "ended");
    while (setting.filter.counts().passed < 2) await new Promise(setImmediate);
    const ends = [tunnel.socket, idle].map(readAll);
    const { address } = setting.filter;
    await setting.filter.close();
    expect(await Promise.all(ends)).toEqual(["", ""]);
    expect(await waiting).toBe("ended");
    expect(setting.filter.counts().open).toBe(0);
    await expect(dialFilter({ ...setting.filter, address })).rejects.toThrow(/ECONNREFUSED/);
  });

  it("also ends what is still being looked up", async () => {
    await setting.close();
    setting = await createSetting((_request, response) => void response.end(), {
      resolve: () => new Promise(() => undefined),
    });
    const waiting = askVia(setting.filter, "http://never.example/").catch(() => "ended");
    while (setting.filter.counts().open < 1) await new Promise(setImmediate);
    await setting.filter.close();
    expect(await waiting).toBe("ended");
    expect(setting.filter.problems()).toEqual([]);
  });
});
