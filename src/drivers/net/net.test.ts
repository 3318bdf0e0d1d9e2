// The driver beyond its judgement: connections that are kept, https, headers, aborts, streams, the end.

import { readFileSync } from "node:fs";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, Socket } from "node:net";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createTown,
  get,
  outcomeOf,
  PUBLIC_ADDRESS,
  type Town,
} from "../../../test/security/net/net-setting.js";
import { createNet } from "./index.js";

const OTHER_PUBLIC = "151.101.1.69";
const TLS = join(import.meta.dirname, "../../../test/data/tls");
const certificate = readFileSync(join(TLS, "certificate.pem"), "utf8");
const key = readFileSync(join(TLS, "key.pem"), "utf8");

let town: Town;
beforeEach(async () => {
  town = await createTown((request, response) => {
    if (request.url === "/wait") return;
    if (request.url === "/drip") return void response.write("first");
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      response.setHeader("set-cookie", ["a=1", "b=2"]);
      response.end(`${request.method} ${Buffer.concat(chunks).toString()}`);
    });
  });
  town.publicAddresses.add(OTHER_PUBLIC);
});
afterEach(() => town.close());

const text = (body: Uint8Array) => new TextDecoder().decode(body);
const at = (path = "/") => `http://a.example${path}`;

describe("a connection", () => {
  it("is used again for the same host at the same addresses", async () => {
    let isTurned = false;
    const resolve = async () => {
      isTurned = !isTurned;
      return isTurned ? [OTHER_PUBLIC, PUBLIC_ADDRESS] : [PUBLIC_ADDRESS, OTHER_PUBLIC];
    };
    const net = town.net({ resolve });
    for (let count = 0; count < 5; count++) {
      await net.fetch(get(at()));
      // The client waits for one turn before it uses a connection again.
      await new Promise(setImmediate);
    }
    expect(town.publicHits()).toBe(1);
  });

  it("is not used again when the name has other addresses, or for another host", async () => {
    const answers = [[PUBLIC_ADDRESS], [OTHER_PUBLIC], [PUBLIC_ADDRESS]];
    const net = town.net({ resolve: async () => answers.shift() ?? [PUBLIC_ADDRESS] });
    await net.fetch(get(at()));
    await net.fetch(get(at()));
    expect(town.publicHits()).toBe(2);
    await net.fetch(get(at()));
    expect(town.publicHits()).toBe(2);
    await net.fetch(get("http://b.example/"));
    expect(town.publicHits()).toBe(3);
  });

  it("is really made to the address that was judged", async () => {
    const port = await portOf(town);
    const net = createNet({ policy: { allowedHostnames: ["127.0.0.1", "localhost"] } });
    try {
      expect((await net.fetch(get(`http://127.0.0.1:${port}/`))).status).toBe(200);
      // Of the two addresses of localhost only one is served.
      expect((await net.fetch(get(`http://localhost:${port}/`))).status).toBe(200);
    } finally {
      await net.close();
    }
  });

  it("that is refused is an error that says so", async () => {
    const port = await portOf(town);
    await town.close();
    const net = createNet({ policy: { allowedHostnames: ["127.0.0.1"] } });
    await expect(net.fetch(get(`http://127.0.0.1:${port}/`))).rejects.toMatchObject({
      code: "unavailable",
      reason: "connection_failed",
      message: expect.stringContaining("ECONNREFUSED"),
    });
    await net.close();
  });
});

describe("a connection that never comes", () => {
  it("ends with the time of the request, or when the caller gives up, and is left", async () => {
    const dialed: Socket[] = [];
    const net = town.net({
      dial: () => {
        const socket = new Socket();
        dialed.push(socket);
        return socket;
      },
    });
    const limits = { maxBytes: 1_000, timeoutMs: 100 };
    const startMs = performance.now();
    expect(await outcomeOf(net.fetch(get(at(), { limits })))).toBe("net_timeout");
    expect(performance.now() - startMs).toBeLessThan(10_000);
    const controller = new AbortController();
    const waiting = net.fetch(get(at(), { signal: controller.signal }));
    await expect.poll(() => dialed.length).toBe(2);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    await expect.poll(() => dialed.every((socket) => socket.destroyed)).toBe(true);
    expect(dialed).toHaveLength(2);
  });
});

describe("https", () => {
  async function secure(work: (dial: () => ReturnType<typeof connect>) => Promise<void>) {
    const names: unknown[] = [];
    const server = createSecureServer({ cert: certificate, key }, (request, response) => {
      // What arrives at a server with TLS comes by such a socket.
      names.push((request.socket as TLSSocket).servername);
      response.end("sealed");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      await work(() => connect(port, "127.0.0.1"));
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    return names;
  }

  it("asks for the host by its name and trusts its certificate only", async () => {
    const names = await secure(async (dial) => {
      const net = town.net({ dial, trustedCertificate: certificate });
      expect(text((await net.fetch(get("https://secure.example/"))).body)).toBe("sealed");
      expect(text((await net.fetch(get("https://secure.example./"))).body)).toBe("sealed");
      await expect(net.fetch(get("https://other.example/"))).rejects.toMatchObject({
        reason: "connection_failed",
        message: expect.stringContaining("ERR_TLS_CERT_ALTNAME_INVALID"),
      });
      await expect(net.fetch(get("https://93.184.215.14/"))).rejects.toMatchObject({
        reason: "connection_failed",
      });
      const strict = town.net({ dial });
      expect(await outcomeOf(strict.fetch(get("https://secure.example/")))).toBe(
        "connection_failed",
      );
    });
    expect(names).toEqual(["secure.example", "secure.example"]);
  });
});

describe("a request", () => {
  it("carries method, headers and body, and brings status, headers and body", async () => {
    const answer = await town.net().fetch(
      get(at("/x?y=1#z"), {
        method: "POST",
        body: "data",
        headers: { "X-Own": "1", "User-Agent": "mine" },
      }),
    );
    expect(town.requests[0]).toMatchObject({
      method: "POST",
      url: "/x?y=1",
      headers: { host: "a.example", "x-own": "1", "user-agent": "mine", accept: "*/*" },
    });
    expect(text(answer.body)).toBe("POST data");
    expect(answer).toMatchObject({
      status: 200,
      isCut: false,
      headers: { "set-cookie": "a=1, b=2" },
    });
    expect(answer.tookMs).toBeGreaterThan(0);
  });

  it.each([
    ["Host", "b.example"],
    ["Content-Length", "5"],
    ["Transfer-Encoding", "chunked"],
    ["Proxy-Authorization", "x"],
    ["Connection", "close"],
    ["bad name", "x"],
    ["X-Own", "a\r\nX-Other: b"],
    ["X-Own", "a\0"],
    ["X-Own", "日本"],
  ])("is refused with the header %j: %j", async (name, value) => {
    const request = get(at(), { headers: { [name]: value } });
    await expect(town.net().fetch(request)).rejects.toMatchObject({
      code: "invalid_input",
      reason: "header_invalid",
    });
    expect(town.requests).toHaveLength(0);
  });

  it("ends when its caller gives up, before and while it waits", async () => {
    const done = AbortSignal.abort();
    await expect(town.net().fetch(get(at(), { signal: done }))).rejects.toMatchObject({
      name: "AbortError",
      code: "aborted",
    });
    expect(town.requests).toHaveLength(0);
    for (const path of ["/wait", "/drip"]) {
      const controller = new AbortController();
      const fetched = town.net().fetch(get(at(path), { signal: controller.signal }));
      const count = town.requests.length;
      await expect.poll(() => town.requests.length).toBe(count + 1);
      controller.abort();
      await expect(fetched).rejects.toMatchObject({ name: "AbortError" });
      await expect.poll(() => town.sockets.every((socket) => socket.destroyed)).toBe(true);
    }
    expect(town.sockets).toHaveLength(2);
  });
});

describe("a request that has ended", () => {
  const limits = { maxBytes: 2, timeoutMs: 10_000 };

  it("leaves no connection that no one uses, while others of its host go on", async () => {
    const net = town.net();
    const other = new AbortController();
    const ended = (signal: AbortSignal, path: string) =>
      net.fetch(get(at(path), { signal })).catch((error: unknown) => error);
    const waiting = ended(other.signal, "/wait");
    await expect.poll(() => town.requests.length).toBe(1);
    for (let count = 2; count < 6; count++) {
      const controller = new AbortController();
      const given = ended(controller.signal, "/drip");
      await expect.poll(() => town.requests.length).toBe(count);
      controller.abort();
      expect(await given).toMatchObject({ name: "AbortError" });
      await expect.poll(() => town.sockets[count - 1]?.destroyed).toBe(true);
      // A connection in its place would be opened by now.
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      expect(town.sockets).toHaveLength(count);
    }
    expect(await net.fetch(get(at("/drip"), { limits }))).toMatchObject({ isCut: true });
    await expect.poll(() => town.sockets.at(-1)?.destroyed).toBe(true);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect(town.sockets).toHaveLength(6);
    expect(town.sockets.filter((socket) => !socket.destroyed)).toHaveLength(1);
    other.abort();
    await waiting;
  });

  it("leaves none when it was a redirect with a long body, and the next is of the same host", async () => {
    const long = await createTown((request, response) => {
      if (request.url !== "/") return void response.end("there");
      response.writeHead(302, { location: "/next" }).write("x".repeat(1_000));
    });
    try {
      const net = long.net();
      expect(text((await net.fetch(get(at()))).body)).toBe("there");
      await expect.poll(() => long.sockets[0]?.destroyed).toBe(true);
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      expect(long.sockets).toHaveLength(2);
    } finally {
      await long.close();
    }
  });
});

describe("a stream", () => {
  it("gives the head first, then pieces, and ends its connection when it is left", async () => {
    const answer = await town.net().stream(get(at("/drip")));
    expect(answer).toMatchObject({ status: 200, url: at("/drip"), hops: [at("/drip")] });
    for await (const chunk of answer.body) {
      expect(text(chunk)).toBe("first");
      break;
    }
    await expect.poll(() => town.sockets.at(-1)?.destroyed).toBe(true);
  });
});

describe("the end", () => {
  it("ends what is under way and leaves no connection", async () => {
    const net = town.net();
    await net.fetch(get(at()));
    const waiting = net.fetch(get(at("/wait")));
    await expect.poll(() => town.requests.length).toBe(2);
    const ended = outcomeOf(waiting);
    await net.close();
    expect(await ended).toBe("net_closed");
    expect(town.sockets.every((socket) => socket.destroyed)).toBe(true);
    expect(await outcomeOf(net.fetch(get(at())))).toBe("net_closed");
  });

  it("ends a connection that is being made", async () => {
    const net = town.net({
      dial: (target) => {
        const socket = town.dial(target);
        socket.removeAllListeners("connect").pause();
        // Never says that it is connected.
        socket.once = () => socket;
        return socket;
      },
    });
    const waiting = outcomeOf(net.fetch(get(at())));
    await expect.poll(() => town.sockets.length).toBe(1);
    await net.close();
    expect(await waiting).toBe("net_closed");
    expect(town.sockets.every((socket) => socket.destroyed)).toBe(true);
  });
});

/** Of the public server, as somebody on this machine would reach it. */
async function portOf({ net, sockets }: Town): Promise<number> {
  await net().fetch(get(at()));
  return sockets.at(-1)?.remotePort ?? 0;
}
