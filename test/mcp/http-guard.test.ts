// Who is let in over HTTP: names of the host, origins, tokens, types, sizes; each is judged before the
// body is read, and no handler runs for whoever is refused. (SECURITY d1, d2, d3.)

import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { createWrongSecrets } from "../../src/lib/http/limits.js";
import { isSameSecret } from "../../src/lib/http/request-guard.js";
import { HELLO, openHttp, TOKEN } from "./open-http.js";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

describe("host and origin", () => {
  it.each([
    ["no origin", {}, 200],
    ["its own origin", { origin: "http://127.0.0.1:PORT" }, 200],
    ["its own origin by name", { origin: "http://localhost:PORT", host: "localhost:PORT" }, 200],
    ["a listed origin", { origin: "https://app.example" }, 200],
    ["a page of its own", { "sec-fetch-site": "same-origin" }, 200],
    ["the origin null", { origin: "null" }, 403],
    ["another origin", { origin: "https://evil.example" }, 403],
    ["a subdomain of a listed origin", { origin: "https://x.app.example" }, 403],
    ["another port", { origin: "http://127.0.0.1:1" }, 403],
    ["another scheme", { origin: "https://127.0.0.1:PORT" }, 403],
    ["an address with a tail", { origin: "http://127.0.0.1.evil:PORT" }, 403],
    ["capital letters", { origin: "HTTP://127.0.0.1:PORT" }, 403],
    ["two origins", { origin: ["http://127.0.0.1:PORT", "https://evil.example"] }, 403],
    ["a page elsewhere", { "sec-fetch-site": "cross-site" }, 403],
    ["a page beside", { "sec-fetch-site": "same-site" }, 403],
    ["a name that was bound to this address", { host: "rebound.example:PORT" }, 403],
    ["no port", { host: "127.0.0.1" }, 403],
    ["another port in the host", { host: "127.0.0.1:1" }, 403],
    ["text", { "content-type": "text/plain" }, 403],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, 403],
    ["a form of parts", { "content-type": "multipart/form-data; boundary=x" }, 403],
    ["no type", { "content-type": undefined }, 403],
    ["JSON with a charset", { "content-type": "application/json; charset=utf-8" }, 200],
  ])("%s", async (_, headers, status) => {
    const { send, port } = await openHttp({ origins: ["https://app.example"] });
    const here = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        [value].flat().map((one) => one?.replace("PORT", String(port)) as string),
      ]),
    );
    const flat = Object.fromEntries(
      Object.entries(here).map(([name, list]) => [name, list.length > 1 ? list : list[0]]),
    );
    expect((await send({ headers: flat, body: HELLO })).status).toBe(status);
  });

  it.each([
    ["no host", "POST /mcp HTTP/1.1\r\nX: y\r\n"],
    ["an empty host", "POST /mcp HTTP/1.1\r\nHost:\r\n"],
    ["two hosts", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: evil.example\r\n"],
    [
      "a whole address in the first line",
      "POST http://127.0.0.1:PORT/mcp HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n",
    ],
  ])("%s, written by hand, is 403 before the body came", async (_, head) => {
    const { raw, port } = await openHttp();
    const type = "Content-Type: application/json\r\nContent-Length: 1000";
    const bytes = `${head}Authorization: Bearer ${TOKEN}\r\n${type}\r\n\r\n`;
    const answer = await raw(bytes.replaceAll("PORT", String(port)));
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).not.toContain("serverInfo");
  });

  it("runs nothing for whoever is refused", async () => {
    const called = vi.fn();
    const { send } = await openHttp(
      {},
      { toolkit: { hooks: { beforeCall: [() => void called()] } } },
    );
    const call = { ...PING, method: "tools/call", params: { name: "read", arguments: {} } };
    for (const headers of [{ origin: "null" }, { host: "x" }, { authorization: "Bearer x" }]) {
      expect((await send({ headers, body: call })).status).toBeGreaterThanOrEqual(401);
    }
    expect(called).not.toHaveBeenCalled();
  });
});

describe("the token", () => {
  it.each([
    ["missing", undefined],
    ["empty", ""],
    ["an empty bearer", "Bearer "],
    ["of another kind", `Basic ${TOKEN}`],
    ["wrong in its first byte", `Bearer X${TOKEN.slice(1)}`],
    ["wrong in its last byte", `Bearer ${TOKEN.slice(0, -1)}X`],
    ["a beginning of it", `Bearer ${TOKEN.slice(0, 5)}`],
    ["longer", `Bearer ${TOKEN}x`],
    ["in another case", `Bearer ${TOKEN.toUpperCase()}`],
    ["a list", `Bearer ["${TOKEN}"]`],
    ["an object", `Bearer {"token":"${TOKEN}"}`],
    ["two of them", [`Bearer ${TOKEN}`, "Bearer x"]],
  ])("%s is 401", async (_, authorization) => {
    const { send } = await openHttp();
    const { status, headers } = await send({ headers: { authorization }, body: HELLO });
    expect(status).toBe(401);
    expect(headers["www-authenticate"]).toContain("Bearer");
  });

  it("is never read from the address", async () => {
    const { send } = await openHttp();
    for (const name of ["token", "access_token", "authorization"]) {
      const path = `/mcp?${name}=${TOKEN}`;
      const outcome = await send({ path, headers: { authorization: undefined }, body: HELLO });
      expect(outcome.status).toBe(401);
    }
  });

  it("is asked for before anybody learns what is there", async () => {
    const { send } = await openHttp();
    for (const path of ["/", "/mcp", "/mcp/x", "/../mcp"]) {
      const headers = { authorization: undefined };
      expect((await send({ path, method: "GET", headers })).status).toBe(401);
    }
    expect((await send({ path: "/other", body: PING })).status).toBe(404);
    expect((await send({ method: "PUT", body: PING })).status).toBe(405);
  });

  it("is made when none is given, and is another one each time", async () => {
    const one = await openHttp({ token: undefined });
    const other = await openHttp({ token: undefined });
    expect(one.server.token).toMatch(/^[\w-]{43}$/);
    expect(other.server.token).not.toBe(one.server.token);
  });

  it.each(["short", "", "with a space in it", "ümlaut-0123456789"])(
    "cannot be %j",
    async (token) => {
      await expect(openHttp({ token })).rejects.toThrow("http.token");
    },
  );

  it("is compared whole", () => {
    expect(isSameSecret("abc", "abc")).toBe(true);
    for (const given of ["", "ab", "abd", "abcc", "ABC"]) {
      expect(isSameSecret(given, "abc")).toBe(false);
    }
  });
});

describe("wrong tokens", () => {
  it("are answered with 429 when there were too many, and the right one is let in", async () => {
    const { send } = await openHttp();
    const headers = { authorization: "Bearer wrong-0123456789abc" };
    const statuses: number[] = [];
    for (let count = 0; count < 12; count++) {
      statuses.push((await send({ headers, body: HELLO })).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    const { status, headers: told } = await send({ headers, body: HELLO });
    expect([status, Number(told["retry-after"]) > 0]).toEqual([429, true]);
    expect((await send({ body: HELLO })).status).toBe(200);
    const without = await send({ headers: { authorization: undefined }, body: HELLO });
    expect(without.status).toBe(401);
  });

  it("are forgotten after a minute, and counted for each address", () => {
    let nowMs = 0;
    const wrong = createWrongSecrets(() => nowMs);
    for (let count = 0; count < 10; count++) expect(wrong.count("a")).toBe(0);
    nowMs = 20_000;
    expect([wrong.count("a"), wrong.count("b")]).toEqual([40, 0]);
    nowMs = 60_000;
    expect(wrong.count("a")).toBe(0);
  });
});

describe("limits", () => {
  it("asks for no body of whoever is not let in", async () => {
    const { raw, port } = await openHttp();
    const write = (token: string, bytes: number) =>
      raw(
        `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${bytes}\r\n\r\n`,
      );
    expect(await write("wrong-0123456789abc", 100)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await write(TOKEN, 99_999_999)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("asks whoever is let in for the body that was held back", async () => {
    const { send } = await openHttp();
    const outcome = await send({ headers: { expect: "100-continue" }, body: HELLO });
    expect(outcome).toMatchObject({ status: 200, body: expect.stringContaining("serverInfo") });
  });

  it("lets nobody be kept out by connections that say nothing", async () => {
    const { send, port } = await openHttp();
    const sockets = Array.from({ length: 300 }, () => connect(port, "127.0.0.1"));
    for (const socket of sockets) socket.on("error", () => undefined);
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    expect((await send({ body: HELLO })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it.each([
    ["no version", { ...HELLO, jsonrpc: undefined }],
    ["no id", { ...HELLO, id: undefined }],
    ["an id that is none", { ...HELLO, id: {} }],
  ])("opens no session for an initialize with %s", async (_, body) => {
    const { send } = await openHttp();
    const { status, headers } = await send({ body });
    expect([status, headers["mcp-session-id"]]).toEqual([400, undefined]);
  });

  it("refuses a body that says it is too large before it is sent", async () => {
    const { raw, port } = await openHttp();
    const answer = await raw(
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("stops reading a body that turns out too large", async () => {
    const { send } = await openHttp();
    const body = JSON.stringify({ ...PING, pad: "x".repeat(17 * 1024 * 1024) });
    const outcome = await send({ body, headers: { "transfer-encoding": "chunked" } }).then(
      ({ status }) => status,
      ({ code }: NodeJS.ErrnoException) => code,
    );
    expect([413, "ECONNRESET", "EPIPE"]).toContain(outcome);
  });

  it("refuses headers that are too large", async () => {
    const { send } = await openHttp();
    const outcome = await send({ headers: { "x-pad": "x".repeat(20_000) }, body: PING });
    expect(outcome.status).toBe(431);
  });

  it.each([
    ["no JSON", "hello", 400],
    ["half of a message", '{"jsonrpc":"2.0","id":1', 400],
    ["too many levels", "[".repeat(10_000), 413],
    ["nothing", "", 400],
    [
      "bytes that are no UTF-8",
      Buffer.from(JSON.stringify({ ...HELLO, id: "\xe9" }), "latin1"),
      400,
    ],
  ])("answers %s with an error", async (_, body, status) => {
    const { send } = await openHttp();
    const outcome = await send({ body });
    expect(outcome.status).toBe(status);
    expect(JSON.parse(outcome.body)).toMatchObject({ jsonrpc: "2.0", error: {} });
  });

  it("cuts a connection that never finishes its head", async () => {
    const { raw, port } = await openHttp();
    const startedMs = performance.now();
    const answer = await raw(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Slow:`);
    expect(answer).toContain("408");
    expect(performance.now() - startedMs).toBeLessThan(40_000);
  });
});
