// Plain requests through the filtering proxy: what goes on, what comes back, and what is refused.
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ALLOWED,
  askVia,
  createSetting,
  dialFilter,
  LOOPBACK,
  originOf,
  readAll,
  readUntil,
  type Setting,
} from "./filter-setting.js";

let setting: Setting;
let seen: IncomingMessage[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
beforeEach(async () => {
  seen = [];
  answer = (request, response) => void response.end(`path ${request.url}`);
  setting = await createSetting((request, response) => {
    seen.push(request);
    answer(request, response);
  });
});
afterEach(() => setting.close());

const get = (path: string, host = ALLOWED) =>
  askVia(setting.filter, originOf(setting.server, host) + path);

describe("a plain request", () => {
  it("reaches the server in origin form, with the host of its address", async () => {
    const url = `${originOf(setting.server)}/a?b=1`;
    const headers = {
      host: "elsewhere.example",
      "proxy-authorization": "Basic eDp5",
      "proxy-connection": "keep-alive",
      connection: "x-own, close",
      "x-own": "1",
      "x-kept": "2",
    };
    const { status, body } = await askVia(setting.filter, url, { headers });
    expect({ status, body }).toEqual({ status: 200, body: "path /a?b=1" });
    expect(seen[0]?.headers).toEqual({
      host: `${ALLOWED}:${setting.server.port}`,
      "x-kept": "2",
      connection: "keep-alive",
    });
    expect(setting.filter.counts()).toMatchObject({ passed: 1, denied: 0, failed: 0 });
  });

  it.each(["/a%2e%2e/b", "/a/../b", "/x|y^z", "/?q='\"", "?only=query"])(
    "keeps the spelling of its path: %s",
    async (path) => {
      expect((await get(path)).body).toBe(`path ${path.startsWith("/") ? path : `/${path}`}`);
    },
  );

  it("gets every header of the answer but those of one connection", async () => {
    answer = (_request, response) => {
      response.writeHead(
        201,
        "Made so",
        [
          ["Set-Cookie", "a=1"],
          ["Set-Cookie", "b=2"],
          ["Keep-Alive", "timeout=9"],
          ["X-Own", "gone"],
          ["Connection", "x-own"],
        ].flat(),
      );
      response.end("made");
    };
    const { status, headers, body } = await get("/");
    expect({ status, body }).toEqual({ status: 201, body: "made" });
    expect(headers["set-cookie"]).toEqual(["a=1", "b=2"]);
    expect(headers["x-own"]).toBeUndefined();
    expect(headers["clawtools-filter"]).toBeUndefined();
  });

  it("is refused without a connection when the policy says so, and the log tells the rule", async () => {
    const sinceMs = Date.now();
    const url = originOf(setting.canary, LOOPBACK);
    const { status, headers, body } = await askVia(setting.filter, url);
    expect(status).toBe(403);
    expect(headers).toMatchObject({
      "clawtools-filter": "address_refused",
      "cache-control": "no-store",
    });
    expect(body).not.toContain(LOOPBACK);
    expect(setting.canary.hits()).toBe(0);
    expect(setting.filter.problemOf(`${url}/any/path`, { sinceMs })).toMatchObject({
      host: LOOPBACK,
      port: setting.canary.port,
      error: {
        code: "denied",
        reason: "address_refused",
        message: expect.stringContaining("tools.net.ssrfPolicy.allowedHostnames"),
      },
    });
    expect(setting.filter.problemOf(url, { sinceMs: Date.now() + 1 })).toBeUndefined();
    expect(setting.filter.problemOf("http://127.0.0.1:1/", { sinceMs })).toBeUndefined();
    expect(setting.filter.counts()).toMatchObject({ passed: 0, denied: 1 });
  });

  it.each([
    ["a path alone, as a page of another browser would ask", "GET / HTTP/1.1"],
    ["https in the clear", `GET https://${ALLOWED}/ HTTP/1.1`],
    ["another scheme", "GET ftp://example.com/ HTTP/1.1"],
    ["a tunnel to what is no host and port", "CONNECT nowhere HTTP/1.1"],
    ["a tunnel to a host with a user name", `CONNECT a@${ALLOWED}:80 HTTP/1.1`],
    ["no request at all", "hello"],
  ])("of %s is answered with 400", async (_what, line) => {
    const socket = await dialFilter(setting.filter);
    socket.write(`${line}\r\nHost: ${ALLOWED}\r\nConnection: close\r\n\r\n`);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 400 /);
    expect(seen).toEqual([]);
  });

  it("with 70 KB of headers is not sent on", async () => {
    const socket = await dialFilter(setting.filter);
    const all = readAll(socket);
    const long = `X-Long: ${"x".repeat(70_000)}`;
    socket.write(`GET ${originOf(setting.server)}/ HTTP/1.1\r\nHost: a\r\n${long}\r\n\r\n`);
    expect(await all).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(seen).toEqual([]);
  });

  it("whose answer has 70 KB of headers is answered with 502", async () => {
    answer = (_request, response) => {
      response.setHeader("x-long", "x".repeat(70_000));
      response.end("long");
    };
    expect(await get("/")).toMatchObject({ status: 502 });
  });

  it("to a closed port says so, and the log has the reason", async () => {
    const { port } = setting.server;
    await setting.server.close();
    const { status, headers } = await get("/");
    expect(status).toBe(502);
    expect(headers["clawtools-filter"]).toBe("connection_failed");
    const url = `http://${ALLOWED}:${port}/`;
    expect(setting.filter.problemOf(url, { sinceMs: 0 })?.error.reason).toBe("connection_failed");
    expect(setting.filter.counts()).toMatchObject({ failed: 1, denied: 0 });
  });
});

describe("a kept connection", () => {
  const line = (path: string) =>
    `GET ${originOf(setting.server)}${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

  it("asks the same server over one connection of its own", async () => {
    const socket = await dialFilter(setting.filter);
    for (const path of ["/1", "/2", "/3"]) {
      socket.write(line(path));
      await readUntil(socket, `path ${path}`);
    }
    expect(setting.server.hits()).toBe(1);
    socket.destroy();
  });

  it("may ask for several things at once, and gets them in order", async () => {
    const socket = await dialFilter(setting.filter);
    const paths = Array.from({ length: 20 }, (_, index) => `/piped-${index}.`);
    socket.write(paths.map(line).join(""));
    const all = await readUntil(socket, `path ${paths.at(-1)}`);
    expect(all.match(/\/piped-\d+\./g)).toEqual(paths);
    socket.destroy();
  });

  it("is judged again for every other host", async () => {
    const socket = await dialFilter(setting.filter);
    socket.write(line("/first"));
    await readUntil(socket, "path /first");
    socket.write(`GET ${originOf(setting.canary, LOOPBACK)}/ HTTP/1.1\r\nHost: ${ALLOWED}\r\n\r\n`);
    expect(await readUntil(socket, "policy")).toContain("403 Forbidden");
    socket.write(line("/again"));
    await readUntil(socket, "path /again");
    expect(setting.canary.hits()).toBe(0);
    socket.destroy();
  });

  it("is not used for what cannot be sent twice", async () => {
    answer = (request, response) => {
      request.resume();
      response.end(`path ${request.url}`);
    };
    const socket = await dialFilter(setting.filter);
    for (const path of ["/1", "/2"]) {
      socket.write(`${line(path).replace("GET", "POST").trimEnd()}\r\nContent-Length: 2\r\n\r\nhi`);
      await readUntil(socket, `path ${path}`);
    }
    expect(setting.server.hits()).toBe(2);
    socket.destroy();
  });

  it("that the server ends between two requests is made anew", async () => {
    const socket = await dialFilter(setting.filter);
    for (const path of ["/1", "/2"]) {
      socket.write(line(path));
      await readUntil(socket, `path ${path}`);
      setting.server.server.closeAllConnections();
    }
    expect(setting.server.hits()).toBe(2);
    socket.destroy();
  });
});

describe("what is already on its way", () => {
  it("an answer that breaks off ends the client's connection too", async () => {
    answer = (_request, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("begun", () => response.destroy());
    };
    await expect(get("/")).rejects.toThrow(/aborted|hang up/);
  });

  it("a head without a body comes through at once", async () => {
    answer = (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
    };
    const socket = await dialFilter(setting.filter);
    socket.write(`GET ${originOf(setting.server)}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(await readUntil(socket, "\r\n\r\n")).toContain("text/event-stream");
    socket.destroy();
  });

  it("a client that leaves ends the request at the server", async () => {
    const left = new Promise<boolean>((resolve) => {
      answer = (_request, response) => {
        response.write("begun");
        response.once("close", () => resolve(response.writableEnded));
      };
    });
    const socket = await dialFilter(setting.filter);
    socket.write(`GET ${originOf(setting.server)}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
    await readUntil(socket, "begun");
    socket.destroy();
    expect(await left).toBe(false);
  });

  it("an upload that breaks off is no whole one for the server", async () => {
    const outcome = new Promise<string>((resolve) => {
      answer = (request) => {
        request.resume();
        request.once("end", () => resolve("whole"));
        request.once("error", () => resolve("broken"));
      };
    });
    const socket = await dialFilter(setting.filter);
    socket.write(
      `POST ${originOf(setting.server)}/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`,
    );
    while (seen.length === 0) await new Promise(setImmediate);
    socket.destroy();
    expect(await outcome).toBe("broken");
  });
});
