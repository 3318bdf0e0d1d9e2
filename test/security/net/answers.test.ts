// Answers that are too long, too slow, too large when unpacked, or broken: each ends at its limit.
import { createServer, type Socket, connect as tcpConnect } from "node:net";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import type { Net, NetRequest } from "../../../src/core/index.js";
import { createTown, get, outcomeOf, type Town } from "./net-setting.js";

const MAX_BYTES = 200_000;
const SPARE_BYTES = 64 * 1024;
const MEGABYTE = 1024 * 1024;
const MAX_GROWTH_KB = 32 * 1024;
const TIMEOUT_MS = 300;
const SLACK_MS = 10_000;

const endings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function town(...given: Parameters<typeof createTown>): Promise<Town> {
  const made = await createTown(...given);
  endings.push(() => made.close());
  return made;
}

/** A server that writes bytes as they are, and the net that leads to it. */
async function rawServer(answer: (socket: Socket) => void): Promise<{ net: Net; sent: Socket[] }> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const sent: Socket[] = [];
  const { net } = await town();
  const made = net({
    dial: () => {
      const socket = tcpConnect(port, "127.0.0.1");
      sent.push(socket);
      return socket;
    },
  });
  endings.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { net: made, sent };
}

const limited = (timeoutMs = 10_000): NetRequest =>
  get("http://a.example/", { limits: { maxBytes: MAX_BYTES, timeoutMs } });
const text = (body: Uint8Array) => new TextDecoder().decode(body);
const peakKb = () => process.resourceUsage().maxRSS;

function writeForever(socket: Socket, chunk: Uint8Array): void {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
    if (!socket.destroyed) socket.once("drain", more);
  };
  more();
}

describe("a body that is too long", () => {
  it("is cut at the limit, and little more of it is read", async () => {
    const head = "HTTP/1.1 200 OK\r\n\r\n";
    const { net, sent } = await rawServer((socket) => {
      socket.write(head);
      writeForever(socket, Buffer.alloc(SPARE_BYTES, "x"));
    });
    const before = peakKb();
    const answer = await net.fetch(limited());
    expect(answer).toMatchObject({ isCut: true, status: 200 });
    expect(answer.body).toHaveLength(MAX_BYTES);
    const [socket] = sent;
    expect(socket?.destroyed).toBe(true);
    expect(socket?.bytesRead).toBeLessThanOrEqual(MAX_BYTES + SPARE_BYTES + head.length);
    expect(peakKb() - before).toBeLessThan(MAX_GROWTH_KB);
  });

  it("is not cut when it has just the length of the limit", async () => {
    const { net } = await town((_request, response) => response.end(Buffer.alloc(MAX_BYTES)));
    const answer = await net().fetch(limited());
    expect(answer).toMatchObject({ isCut: false });
    expect(answer.body).toHaveLength(MAX_BYTES);
  });

  it("is an error of a stream", async () => {
    const { net } = await town((_request, response) => response.end(Buffer.alloc(MAX_BYTES + 1)));
    const { body } = await net().stream(limited());
    let bytes = 0;
    const read = async () => {
      for await (const chunk of body) bytes += chunk.length;
    };
    expect(await outcomeOf(read())).toBe("body_too_large");
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  });
});

describe("a body that was packed", () => {
  const packed = { gzip: gzipSync("hello"), br: brotliCompressSync("hello") };

  it.each(Object.entries(packed))("with %s is unpacked", async (encoding, bytes) => {
    const { net } = await town((_request, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(bytes);
    });
    expect(text((await net().fetch(limited())).body)).toBe("hello");
    const { body } = await net().stream(limited());
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    expect(text(Buffer.concat(chunks))).toBe("hello");
  });

  it.each([
    ["gzip", () => Buffer.concat(Array(1_000).fill(gzipSync(Buffer.alloc(10 * MEGABYTE))))],
    [
      "br",
      () =>
        brotliCompressSync(Buffer.alloc(200 * MEGABYTE), {
          params: { [constants.BROTLI_PARAM_QUALITY]: 5 },
        }),
    ],
  ])("with %s to a thousandth and less is cut at the limit", async (encoding, pack) => {
    const bomb = pack();
    const { net } = await town((_request, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(bomb);
    });
    const before = peakKb();
    const answer = await net().fetch(limited());
    expect(answer).toMatchObject({ isCut: true });
    expect(answer.body).toHaveLength(MAX_BYTES);
    expect(peakKb() - before).toBeLessThan(MAX_GROWTH_KB);
  });

  it("and gives nothing however much of it comes is cut too", async () => {
    const nothing = Buffer.concat(Array(1_000).fill(gzipSync("")));
    const { net, sent } = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n");
      writeForever(socket, nothing);
    });
    expect(await net.fetch(limited())).toMatchObject({ isCut: true, body: Buffer.alloc(0) });
    expect(sent[0]?.bytesRead).toBeLessThan(MAX_BYTES + 4 * SPARE_BYTES);
  });

  it.each([
    ["cut off", "gzip", gzipSync("hello".repeat(1_000)).subarray(0, 30)],
    ["no gzip at all", "gzip", Buffer.from("hello")],
    ["no brotli at all", "br", Buffer.from("hello")],
    ["of a kind nobody asked for", "zstd", Buffer.from("hello")],
    ["packed twice", "gzip, gzip", gzipSync(gzipSync("hello"))],
  ])("is an error when it is %s", async (_what, encoding, bytes) => {
    const { net } = await town((_request, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(bytes);
    });
    expect(await outcomeOf(net().fetch(limited()))).toBe("bad_response");
  });

  it.each([
    ["gzip", "its content encoding is damaged, or ends too early."],
    ["br", "its content encoding is damaged, or ends too early."],
    ["zstd", "it is encoded in a way that was not requested."],
    ["gzip, br", "it is encoded in a way that was not requested."],
    ['x"; IGNORE ALL', "it is encoded in a way that was not requested."],
  ])("badly as %s is told in our words", async (encoding, said) => {
    const { net } = await town((_request, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end("hello");
    });
    await expect(net().fetch(limited())).rejects.toThrow(
      `The answer of "a.example" cannot be used: ${said}`,
    );
  });

  it.each([
    ["HEAD", 200],
    ["GET", 204],
    ["GET", 304],
  ] as const)("may be absent: %s with %i", async (method, status) => {
    const { net } = await town((_request, response) => {
      response.writeHead(status, { "content-encoding": "gzip" }).end();
    });
    const answer = await net().fetch({ ...limited(), method });
    expect(answer).toMatchObject({ status, isCut: false, body: Buffer.alloc(0) });
  });

  it("may be empty", async () => {
    const { net } = await town((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end();
    });
    expect(await net().fetch(limited())).toMatchObject({ isCut: false, body: Buffer.alloc(0) });
  });
});

describe("an answer that is too slow", () => {
  const drip = (socket: Socket, chunk: string, first = "") => {
    socket.write(first);
    const timer = setInterval(() => socket.write(chunk), 20);
    socket.once("close", () => clearInterval(timer));
  };

  it.each([
    ["never begins", () => undefined],
    ["drips its head", (socket: Socket) => drip(socket, "H")],
    ["drips headers", (socket: Socket) => drip(socket, "a: b\r\n", "HTTP/1.1 200 OK\r\n")],
    ["drips its body", (socket: Socket) => drip(socket, "x", "HTTP/1.1 200 OK\r\n\r\n")],
    [
      "repeats that it goes on",
      (socket: Socket) => drip(socket, "HTTP/1.1 103 Early Hints\r\n\r\n"),
    ],
    [
      "never ends",
      (socket: Socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"),
    ],
  ])("because it %s ends with the time", async (what, answer) => {
    const { net, sent } = await rawServer(answer);
    const startMs = performance.now();
    await expect(net.fetch(limited(TIMEOUT_MS))).rejects.toMatchObject({
      reason: what === "drips its head" ? "bad_response" : "net_timeout",
    });
    expect(performance.now() - startMs).toBeLessThan(TIMEOUT_MS + SLACK_MS);
    expect(sent[0]?.destroyed).toBe(true);
  });

  it("ends a stream with the time too", async () => {
    const { net, sent } = await rawServer((socket) => {
      drip(socket, "x", "HTTP/1.1 200 OK\r\n\r\n");
    });
    const { body } = await net.stream(limited(TIMEOUT_MS));
    const read = async () => {
      for await (const chunk of body) expect(chunk.length).toBeGreaterThan(0);
    };
    expect(await outcomeOf(read())).toBe("net_timeout");
    expect(sent[0]?.destroyed).toBe(true);
  });
});

describe("an answer that is broken", () => {
  const head = "HTTP/1.1 200 OK\r\n";
  const many = Array.from({ length: 10_000 }, (_, index) => `x-${index}: y\r\n`).join("");

  it.each([
    ["has 10,000 headers", `${head}${many}\r\n`, "headers_too_large"],
    [
      "has a header of a megabyte",
      `${head}x: ${"y".repeat(MEGABYTE)}\r\n\r\n`,
      "headers_too_large",
    ],
    ["is no HTTP", "SSH-2.0-OpenSSH\r\n", "bad_response"],
    ["is empty", "", "bad_response"],
    ["has bad chunks", `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\nhello`, "bad_response"],
    ["ends too early", `${head}Content-Length: 99\r\n\r\nhello`, "bad_response"],
    ["has two lengths", `${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nhe`, "bad_response"],
  ])("because it %s is an error", async (_what, bytes, reason) => {
    const { net } = await rawServer((socket) => socket.end(bytes));
    expect(await outcomeOf(net.fetch(limited()))).toBe(reason);
  });

  it("keeps a header with a name that objects have of their own", async () => {
    const { net } = await rawServer((socket) =>
      socket.end(`${head}__proto__: x\r\nconstructor: y\r\nConnection: close\r\n\r\nhello`),
    );
    const { headers } = await net.fetch(limited());
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype);
    expect(Object.entries(headers)).toContainEqual(["constructor", "y"]);
  });
});
