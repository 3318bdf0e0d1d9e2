// The network as tools get it: by the policy of the config, one for each toolkit, closed with it.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type ClawtoolsConfig,
  createToolkit,
  defineTool,
  type Net,
  t,
  textResult,
} from "clawtools";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bindAlone } from "../fakes/resolve-tool.js";

const ROOT = import.meta.dirname;
let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((_request, response) => response.end("hello"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this kind.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const ports: (Net | undefined)[] = [];
const fetcher = defineTool({
  name: "fetcher",
  description: "Fetches a page.",
  parameters: t.object({ url: t.string({ description: "Where it is." }) }),
  readOnly: true,
  async execute({ params, ctx, signal }) {
    ports.push(ctx.net);
    const limits = { maxBytes: 1_000, timeoutMs: 5_000 };
    const answer = await ctx.net?.fetch({ url: params.url, limits, signal });
    return textResult(new TextDecoder().decode(answer?.body));
  },
});

const OPEN: ClawtoolsConfig = {
  tools: { net: { ssrfPolicy: { allowedHostnames: ["127.0.0.1"] } } },
};

async function callIn(config: ClawtoolsConfig) {
  const toolkit = createToolkit({ root: ROOT, stateDir: false, config, tools: [fetcher] });
  const call = (id: string) => toolkit.invoke({ id, name: "fetcher", arguments: { url } });
  try {
    return [await call("a"), await call("b")];
  } finally {
    await toolkit.close();
  }
}

describe("the network of a toolkit", () => {
  it("refuses this machine unless the config allows it", async () => {
    const [refused] = await callIn({});
    expect(refused).toMatchObject({
      isError: true,
      details: {
        code: "denied",
        reason: "address_refused",
        allowKeys: expect.arrayContaining(["tools.net.ssrfPolicy.allowedHostnames"]),
      },
    });
    const [allowed] = await callIn(OPEN);
    expect(allowed).toMatchObject({ isError: false, content: [{ text: "hello" }] });
  });

  it("is one for all calls and ends with the toolkit", async () => {
    ports.length = 0;
    await callIn(OPEN);
    const [first, second] = ports;
    expect(first).toBeDefined();
    expect(second).toBe(first);
    const { signal } = new AbortController();
    await expect(first?.check(url, { signal })).rejects.toMatchObject({ reason: "toolkit_closed" });
  });

  it("says which entry of the policy is wrong at the first request", async () => {
    const [wrong] = await callIn({
      tools: { net: { ssrfPolicy: { blockedHostnames: ["http://evil.example"] } } },
    });
    expect(wrong).toMatchObject({ isError: true, details: { reason: "ssrf_policy_invalid" } });
  });

  it("takes the proxy of the config", async () => {
    const [wrong] = await callIn({ tools: { net: { proxy: "no proxy" } } });
    expect(wrong).toMatchObject({ isError: true, details: { reason: "proxy_invalid" } });
  });
});

describe("the network of a bare registry", () => {
  it("follows the config of the context, and one that the context brings comes first", async () => {
    const closed = await bindAlone(fetcher).execute("a", { url });
    expect(closed).toMatchObject({ isError: true, details: { reason: "address_refused" } });
    const open = await bindAlone(fetcher, { config: { ...OPEN } }).execute("b", { url });
    expect(open.content).toEqual([{ type: "text", text: "hello" }]);
    const own: Net = {
      fetch: async (request) => ({
        ...{ status: 200, url: request.url, headers: {}, hops: [request.url] },
        ...{ body: new TextEncoder().encode("mine"), isCut: false, tookMs: 0 },
      }),
      stream: () => Promise.reject(new Error("not asked for")),
      socket: () => Promise.reject(new Error("not asked for")),
      check: async () => undefined,
      close: async () => undefined,
    };
    const mine = await bindAlone(fetcher, { net: own }).execute("c", { url });
    expect(mine.content).toEqual([{ type: "text", text: "mine" }]);
  });
});
