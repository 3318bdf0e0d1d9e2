// Made-up web sites behind the filter: one plain, one with TLS; every other name is this machine, and a
// canary counts the connections to it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureServer, type Http2SecureServer } from "node:http2";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { NetFilter } from "../../../src/core/browser.js";
import { listNetFlags, toContextProxy } from "../../../src/drivers/browser/policy/net-filter.js";
import { createFilterProxy, type FilterOptions } from "../../../src/drivers/net/index.js";
import { createTown, PUBLIC_ADDRESS, type Town } from "../../security/net/net-setting.js";
import { launchPlain } from "./plain-chromium.js";

const TLS = join(import.meta.dirname, "../../data/tls");
export const SITE = "http://site.example/";
export const SECURE_HOST = "secure.example";
const SITE_HOSTS = ["site.example", SECURE_HOST];

export interface Sites {
  readonly town: Town;
  readonly browser: Browser;
  filterWith(options?: FilterOptions): Promise<NetFilter>;
  /** A tab in a context of its own, behind this filter, with the plain site in it. */
  openSite(filter: NetFilter): Promise<Page>;
  close(): Promise<void>;
}

export async function createSites(): Promise<Sites> {
  const town = await createTown((request, response) => {
    if (request.method === "POST") {
      let bytes = 0;
      request.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      request.on("end", () => response.end(`${bytes}`));
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? "/", SITE);
    response.setHeader("content-type", "text/html");
    if (pathname === "/to") {
      response.statusCode = 302;
      response.setHeader("location", toHeaderText(searchParams.get("url") ?? ""));
    }
    // Every request then needs a connection of its own, and so a lookup.
    if (pathname === "/once") response.setHeader("connection", "close");
    response.end("<title>site</title><body>site");
  });
  const secure = await serveSecurely();
  const filters: NetFilter[] = [];

  async function filterWith(options: FilterOptions = {}): Promise<NetFilter> {
    const filter = await createFilterProxy({
      policyKey: "browser.ssrfPolicy",
      environment: {},
      resolve: async (host) => [SITE_HOSTS.includes(host) ? PUBLIC_ADDRESS : "127.0.0.1"],
      dial: (target) =>
        target.port === 443 && target.addresses.includes(PUBLIC_ADDRESS)
          ? // A server that listens on a port has an address of this kind.
            connect((secure.address() as AddressInfo).port, "127.0.0.1")
          : town.dial(target),
      ...options,
    });
    filters.push(filter);
    return filter;
  }

  // The arguments want one filter; contexts bring their own.
  const browser = await launchPlain(listNetFlags((await filterWith()).address));
  return {
    town,
    browser,
    filterWith,
    async openSite(filter) {
      const context = await browser.newContext({
        proxy: toContextProxy(filter.address),
        ignoreHTTPSErrors: true,
      });
      const page = await context.newPage();
      await page.goto(SITE);
      return page;
    },
    async close() {
      await browser.close();
      await Promise.all(filters.map((filter) => filter.close()));
      await town.close();
      secure.close();
    },
  };
}

/** Bytes of UTF-8, as servers send them. */
function toHeaderText(text: string): string {
  return Buffer.from(text.replaceAll(/\p{Cc}/gu, "")).toString("latin1");
}

/** HTTP/2, and WebSocket over HTTP/1.1. */
async function serveSecurely(): Promise<Http2SecureServer> {
  const server = createSecureServer({
    allowHTTP1: true,
    cert: readFileSync(join(TLS, "certificate.pem")),
    key: readFileSync(join(TLS, "key.pem")),
  });
  server.on("request", (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<title>sealed</title>");
  });
  server.on("upgrade", (request: { headers: Record<string, string> }, socket: Socket) => {
    const accept = createHash("sha1")
      .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest("base64");
    const head =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";
    socket.write(`${head}Sec-WebSocket-Accept: ${accept}\r\n\r\n`);
    socket.write(Buffer.concat([Buffer.from([0x81, 5]), Buffer.from("hello")]));
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
