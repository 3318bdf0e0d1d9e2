// The same attacks through web_fetch: the corpus of addresses, names whose answers flip, redirects,
// bombs and drips, and Firecrawl as a way around. No canary is ever reached; a naive fetch reaches it.
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createToolkit, type Toolkit, type ToolResult } from "clawtools";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { webFetch } from "../../../src/tools/web_fetch/index.js";
import { bindAlone } from "../../fakes/resolve-tool.js";
import { createTown, PUBLIC_ADDRESS, type Town } from "./net-setting.js";

interface Case {
  readonly url: string;
  readonly expect: string;
}

const DATA = join(import.meta.dirname, "../../data");
// The files are part of the project.
const CORPUS = JSON.parse(readFileSync(join(DATA, "ssrf.json"), "utf8")) as Case[];
const PUBLIC_HOSTS = JSON.parse(readFileSync(join(DATA, "public-hosts.json"), "utf8")) as string[];
const REFUSED = CORPUS.filter(({ expect: verdict }) => verdict.startsWith("reject-"));
const BY_NAME = CORPUS.filter(({ expect: verdict }) => verdict === "decide-after-dns");
const THIS_MACHINE = /^(?:127\.[\d.]+|0\.0\.0\.0|localhost)$/;
const MEBI = 1024 * 1024;

const textOf = ({ content: [block] }: ToolResult) => (block?.type === "text" ? block.text : "");

describe("the corpus through the web_fetch of a toolkit", () => {
  let toolkit: Toolkit;
  let hits = 0;
  let port = 0;
  const canary = createServer((_request, response) => void response.end("caught"));
  canary.on("connection", () => {
    hits++;
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
    // A server that listens on a port has an address of this kind.
    port = (canary.address() as AddressInfo).port;
    const firecrawl = { apiKey: "fc-1", baseUrl: `http://127.0.0.1:${port}` };
    toolkit = createToolkit({
      root: import.meta.dirname,
      stateDir: false,
      config: { tools: { allow: ["web_fetch"], web: { fetch: { firecrawl } } } },
    });
  });
  afterAll(async () => {
    await toolkit.close();
    canary.closeAllConnections();
    await new Promise((resolve) => canary.close(resolve));
  });

  /** The same host at the port of the canary, as far as it is one. */
  const atCanary = (url: string) =>
    /^https?:\/\/[^/]*$|^https?:\/\/[^/]*[^:/\d][^/]*\/$/.test(url) && !/:\d+\/?$/.test(url)
      ? `${url.replace(/\/$/, "")}:${port}/`
      : url;

  it.each(REFUSED)("$url is refused, also at the port of the canary", async ({ url }) => {
    for (const one of new Set([url, atCanary(url)])) {
      const args = { url: one };
      const result = await toolkit.invoke({ id: "call", name: "web_fetch", arguments: args });
      expect(result.isError, one).toBe(true);
      expect(result.details).toMatchObject({ code: expect.stringMatching(/denied|invalid_input/) });
    }
    expect(hits).toBe(0);
  });

  it("hits the canary when it is fetched without a look at the address", async () => {
    const own = REFUSED.map(({ url }) => atCanary(url)).filter(
      (url) => URL.canParse(url) && THIS_MACHINE.test(new URL(url).hostname),
    );
    await Promise.all(own.map((url) => fetch(url).catch(() => undefined)));
    expect(hits).toBeGreaterThan(5);
  });
});

describe("web_fetch in a small internet", () => {
  const towns: Town[] = [];
  afterEach(async () => {
    for (const town of towns.splice(0)) await town.close();
  });

  async function start(answer?: RequestListener): Promise<Town> {
    const town = await createTown(answer);
    towns.push(town);
    return town;
  }

  interface Fetching {
    readonly town: Town;
    readonly url: string;
    readonly resolve?: () => Promise<readonly string[]>;
    readonly settings?: object;
  }

  async function fetchOne({ town, url, resolve, settings = {} }: Fetching) {
    const net = town.net(resolve === undefined ? {} : { resolve });
    const config = { tools: { web: { fetch: settings } } };
    const result = await bindAlone(webFetch, { net, config }).execute("call_1", { url });
    return { ...result, text: textOf(result) };
  }

  it.each(BY_NAME)("$url is judged by every answer of the resolver", async ({ url }) => {
    const town = await start();
    for (const address of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1"]) {
      for (const answers of [[address], [PUBLIC_ADDRESS, address]]) {
        const { details } = await fetchOne({ town, url, resolve: async () => answers });
        expect(details).toMatchObject({ code: "denied", reason: "address_refused" });
      }
    }
    expect(town.canaryHits() + town.publicHits()).toBe(0);
  });

  it("a name that flips between lookups never leads to the canary", async () => {
    const town = await start((request, response) => {
      const hop = Number(request.url?.slice(1));
      if (hop > 0) response.writeHead(302, { location: `/${hop - 1}` }).end();
      else response.writeHead(200, { connection: "close" }).end("hello");
    });
    for (let round = 0; round < 40; round++) {
      let lookups = round;
      const resolve = async () => [lookups++ % 3 === 2 ? "127.0.0.1" : PUBLIC_ADDRESS];
      await fetchOne({ town, url: `http://flip${round}.example/${round % 3}`, resolve });
    }
    expect(town.publicHits()).toBeGreaterThan(10);
    expect(town.canaryHits()).toBe(0);
  });

  it.each(PUBLIC_HOSTS)("%s, which only looks local, is reached", async (host) => {
    const town = await start();
    expect((await fetchOne({ town, url: `http://${host}/` })).text).toContain("hello");
  });

  it.each([
    "http://127.0.0.1/",
    "http://[::1]/",
    "http://169.254.169.254/latest/meta-data/",
    "//10.0.0.1/",
    "http://localhost:80/",
    "http://0x7f000001/",
    "ftp://a.example/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_INFO",
    "http://user:secret@b.example/",
  ])("a redirect to %s is not followed, and Firecrawl is not asked for it", async (location) => {
    const town = await start((_request, response) => {
      response.writeHead(302, { location }).end();
    });
    const settings = { firecrawl: { apiKey: "fc-1", baseUrl: "https://crawl.example" } };
    const result = await fetchOne({ town, url: "http://a.example/", settings });
    expect(result.isError).toBe(true);
    expect(town.canaryHits()).toBe(0);
    expect(town.requests.map(({ headers }) => headers.host)).toEqual(["a.example"]);
  });

  it("of a thousand redirects four are asked for", async () => {
    const town = await start((request, response) => {
      const hop = Number(request.url?.slice(1));
      response.writeHead(302, { location: `/${hop + 1}` }).end();
    });
    const { details } = await fetchOne({ town, url: "http://a.example/0" });
    expect(details).toMatchObject({ reason: "too_many_redirects" });
    expect(town.requests).toHaveLength(4);
  });

  it("a packed body of 10 GB is cut at the limit", async () => {
    const bomb = Buffer.concat(Array(1_000).fill(gzipSync(Buffer.alloc(10 * MEBI, "a"))));
    const town = await start((_request, response) => {
      const headers = { "content-type": "text/plain", "content-encoding": "gzip" };
      response.writeHead(200, headers).end(bomb);
    });
    const { details } = await fetchOne({ town, url: "http://a.example/" });
    expect(details).toMatchObject({ warning: expect.stringContaining("only the first 5000000") });
  });

  it.each([
    ["a body", (response: Parameters<RequestListener>[1]) => response.write("x")],
    ["a page", (response: Parameters<RequestListener>[1]) => response.write("<p>x</p>")],
  ])("%s that drips ends with the time", async (_what, drip) => {
    const town = await start((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      const timer = setInterval(() => drip(response), 20);
      response.once("close", () => clearInterval(timer));
    });
    const settings = { timeoutSeconds: 0.4 };
    const beganMs = performance.now();
    const { details } = await fetchOne({ town, url: "http://a.example/", settings });
    expect(details).toMatchObject({ code: "timeout", reason: "net_timeout" });
    expect(performance.now() - beganMs).toBeLessThan(30_000);
    expect(town.sockets.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it.each([
    ["more than it has is an error", "99", /length does not match/],
    ["less than it has cuts the text there", "2", /^he$/m],
  ])("a length that says %s", async (_what, length, expected) => {
    const town = await start((request) => {
      request.socket.end(
        `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\nhello`,
      );
    });
    expect((await fetchOne({ town, url: "http://a.example/" })).text).toMatch(expected);
  });

  it.each(["10.0.0.1", "127.0.0.1", "169.254.169.254"])(
    "the address of Firecrawl itself is not %s, when nobody wrote one",
    async (address) => {
      const town = await start((_request, response) => void response.writeHead(500).end());
      let lookups = 0;
      // The page and the check before Firecrawl are public, then the name of the service flips.
      const resolve = async () => [lookups++ < 2 ? PUBLIC_ADDRESS : address];
      const settings = { firecrawl: { apiKey: "fc-1" } };
      const { details } = await fetchOne({ town, url: "http://a.example/", resolve, settings });
      expect(details).toMatchObject({ reason: "http_status" });
      expect(lookups).toBe(3);
      expect(town.canaryHits()).toBe(0);
    },
  );

  it("a redirect of Firecrawl leads nowhere, and its key goes nowhere else", async () => {
    const town = await start((request, response) => {
      if (request.headers.host === "crawl.lan") {
        response.writeHead(307, { location: "http://127.0.0.1/" }).end();
      } else response.writeHead(500).end();
    });
    const settings = { firecrawl: { apiKey: "fc-1", baseUrl: "http://crawl.lan" } };
    const { details, text } = await fetchOne({ town, url: "http://a.example/", settings });
    expect(details).toMatchObject({ reason: "http_status" });
    expect(JSON.stringify(details) + text).not.toContain("fc-1");
    expect(town.canaryHits()).toBe(0);
    const withKey = town.requests.filter(({ headers }) => headers.authorization !== undefined);
    expect(withKey.map(({ headers }) => headers.host)).toEqual(["crawl.lan"]);
  });

  it("the key of Firecrawl is sent to no public address in clear", async () => {
    const town = await start((_, response) => response.writeHead(500).end());
    const settings = { firecrawl: { apiKey: "fc-1", baseUrl: "http://10.crawl.example" } };
    const { details } = await fetchOne({ town, url: "http://a.example/", settings });
    expect(details).toMatchObject({ reason: "firecrawl_address_invalid" });
    expect(town.requests.map(({ headers }) => headers.host)).toEqual(["a.example"]);
  });
});
