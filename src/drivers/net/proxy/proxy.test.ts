// A proxy between: what it is asked for, what goes past it, and what is refused before it is asked.

import { readFileSync } from "node:fs";
import type { IncomingMessage, Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createTown,
  get,
  type Listener,
  listen,
  outcomeOf,
  type Town,
} from "../../../../test/security/net/net-setting.js";
import { createProxyChoice } from "../way-out.js";

const TLS = join(import.meta.dirname, "../../../../test/data/tls");
const certificate = readFileSync(join(TLS, "certificate.pem"), "utf8");
const key = readFileSync(join(TLS, "key.pem"), "utf8");

let town: Town;
let proxy: Listener;
let secure: Server;
let asked: IncomingMessage[];
beforeEach(async () => {
  town = await createTown();
  asked = [];
  secure = createSecureServer({ cert: certificate, key }, (_request, response) => {
    response.end("sealed");
  });
  await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this kind.
  const { port } = secure.address() as AddressInfo;
  proxy = await listen((request, response) => {
    asked.push(request);
    response.end(`by proxy: ${request.url}`);
  });
  proxy.server.on("connect", (request: IncomingMessage, client) => {
    asked.push(request);
    if (request.url?.startsWith("closed")) return client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    const target = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      target.pipe(client).pipe(target);
    });
    for (const socket of [client, target]) socket.on("error", () => target.destroy());
  });
});
afterEach(async () => {
  await town.close();
  await proxy.close();
  secure.closeAllConnections();
  await new Promise((resolve) => secure.close(resolve));
});

const proxied = (more: Parameters<Town["net"]>[0] = {}) =>
  town.net({
    proxy: { url: `http://user:pass@127.0.0.1:${proxy.port}` },
    trustedCertificate: certificate,
    resolve: () => Promise.reject(new Error("a proxy looks names up itself")),
    ...more,
  });
const text = (body: Uint8Array) => new TextDecoder().decode(body);

describe("with a proxy", () => {
  it("a plain request is handed to it as a whole, with its own credentials", async () => {
    const { body } = await proxied().fetch(get("http://a.example/x?y=1"));
    expect(text(body)).toBe("by proxy: http://a.example/x?y=1");
    expect(asked[0]?.headers).toMatchObject({
      host: "a.example",
      "proxy-authorization": `Basic ${Buffer.from("user:pass").toString("base64")}`,
    });
    expect(town.publicHits()).toBe(0);
  });

  it("https goes through a tunnel, and the certificate is that of the host", async () => {
    const net = proxied();
    expect(text((await net.fetch(get("https://secure.example/"))).body)).toBe("sealed");
    expect(asked[0]).toMatchObject({ method: "CONNECT", url: "secure.example:443" });
    expect(await outcomeOf(net.fetch(get("https://other.example/")))).toBe("connection_failed");
  });

  it("that refuses, the error says so", async () => {
    await expect(proxied().fetch(get("https://closed.example/"))).rejects.toMatchObject({
      code: "unavailable",
      reason: "connection_failed",
      message: expect.stringContaining("403"),
    });
  });

  it.each([
    "http://127.0.0.1/",
    "http://[::ffff:127.0.0.1]/",
    "http://localhost/",
    "http://db.internal/",
    "http://metadata.google.internal/",
    "https://169.254.169.254/",
  ])("%s is refused before it is asked", async (url) => {
    const net = proxied();
    expect(await outcomeOf(net.fetch(get(url)))).toBe("address_refused");
    const { signal } = new AbortController();
    expect(await outcomeOf(net.check(url, { signal }))).toBe("address_refused");
    expect(asked).toHaveLength(0);
  });

  it.each([
    "http://metadata.google.internal/computeMetadata/v1/",
    "http://METADATA.google.internal./",
    "http://metadata.goog/",
    "http://instance-data.ec2.internal/latest/",
    "http://169.254.169.254/latest/",
    "http://0xa9fea9fe/",
    "http://[::ffff:169.254.169.254]/",
    "http://[fd00:ec2::254]/",
    "http://100.100.100.200/",
  ])("%s is refused before it is asked, also where the private network is open", async (url) => {
    const net = proxied({ policy: { dangerouslyAllowPrivateNetwork: true } });
    expect(await outcomeOf(net.fetch(get(url)))).toBe("address_refused");
    expect(asked).toHaveLength(0);
    await net.fetch(get("http://db.internal/"));
    expect(asked).toHaveLength(1);
  });

  it("hosts that are excepted go past it, and their addresses are judged", async () => {
    const url = `http://127.0.0.1:${proxy.port}`;
    const settings = { proxy: { url, noProxy: ["a.example"] } };
    const direct = town.net(settings);
    expect(text((await direct.fetch(get("http://www.a.example/"))).body)).toBe("hello");
    const lying = town.net({ ...settings, resolve: async () => ["127.0.0.1"] });
    expect(await outcomeOf(lying.fetch(get("http://a.example/")))).toBe("address_refused");
    expect(asked).toHaveLength(0);
    expect(town.canaryHits()).toBe(0);
  });

  it("of the environment nothing is used unless the configuration says so", async () => {
    const environment = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: "b.example" };
    await town.net({ environment }).fetch(get("http://a.example/"));
    expect(asked).toHaveLength(0);
    const net = town.net({ environment, proxy: { url: "env" } });
    await net.fetch(get("http://a.example/"));
    await net.fetch(get("http://b.example/"));
    expect(asked).toHaveLength(1);
    expect(town.publicHits()).toBe(2);
  });

  it.each(["", "proxy.example", "socks5://proxy.example:1080", "http://"])(
    "%j is refused as an address of one",
    (url) => {
      expect(() => town.net({ proxy: { url } })).toThrowError(
        expect.objectContaining({ code: "invalid_input", reason: "proxy_invalid" }),
      );
    },
  );
});

describe("the choice of a proxy", () => {
  const environment = {
    https_proxy: "http://small:1",
    HTTPS_PROXY: "http://large:2",
    HTTP_PROXY: "http://plain:3",
    no_proxy: "a.example, .b.example *.c.example,::1,[::2],d.example:8080",
  };
  const choose = createProxyChoice({ url: "env" }, environment);

  it.each([
    ["https://x.example/", "http://small:1/"],
    ["http://x.example/", "http://plain:3/"],
    ["http://a.example/", undefined],
    ["http://www.a.example/", undefined],
    ["http://nota.example/", "http://plain:3/"],
    ["http://www.b.example/", undefined],
    ["http://www.c.example/", undefined],
    ["http://[::1]/", undefined],
    ["http://[::2]/", undefined],
    ["http://d.example/", "http://plain:3/"],
    ["http://d.example:8080/", undefined],
  ])("for %s is %s", (url, wanted) => {
    expect(choose(new URL(url))).toBe(wanted);
  });

  it("is none when every host is excepted", () => {
    const all = createProxyChoice({ url: "env" }, { ...environment, no_proxy: "*" });
    expect(all(new URL("http://x.example/"))).toBeUndefined();
  });
});
