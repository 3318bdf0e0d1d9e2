// web_fetch through a whole toolkit, with the real network driver against a server on loopback.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createToolkit } from "clawtools";
import { describe, expect, it } from "vitest";

const PROSE =
  "A sentence that says something, and goes on for a while, so that it counts as prose. ";
const PAGE = `<title>A page</title><article><h1>A page</h1>${`<p>${PROSE.repeat(4)}</p>`.repeat(200)}</article>`;

const answer: RequestListener = (request, response) => {
  if (request.url === "/away") response.writeHead(302, { location: "/page" }).end();
  else if (request.url === "/page") {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(PAGE);
  } else response.writeHead(404).end("no");
};

interface Setting {
  readonly base: string;
  readonly requests: () => number;
  readonly fetch: (path: string, params?: object) => Promise<Answer>;
  readonly read: (params: object) => Promise<Answer>;
}

interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly details: unknown;
}

async function withToolkit(tools: object, use: (setting: Setting) => Promise<void>): Promise<void> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Listening on a port, it has an address of this kind.
  const { port } = server.address() as AddressInfo;
  const toolkit = createToolkit({
    root: import.meta.dirname,
    config: { tools: { allow: ["*"], ...tools } },
  });
  let count = 0;
  const invoke = async (name: string, args: object): Promise<Answer> => {
    const result = await toolkit.invoke({ id: `call_${count++}`, name, arguments: { ...args } });
    const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    return { text, isError: result.isError === true, details: result.details };
  };
  const base = `http://127.0.0.1:${port}`;
  try {
    await use({
      base,
      requests: () => requests,
      fetch: (path, params = {}) => invoke("web_fetch", { url: base + path, ...params }),
      read: (params) => invoke("read", params),
    });
  } finally {
    await toolkit.close();
    await new Promise((resolve) => server.close(resolve));
  }
}

const LOCAL = { net: { ssrfPolicy: { allowedHostnames: ["127.0.0.1"] } } };

describe("web_fetch in a toolkit", () => {
  it("fetches a page from an address that the config allows, over a redirect", async () => {
    await withToolkit(LOCAL, async ({ fetch, base }) => {
      const page = await fetch("/away", { maxChars: 1000 });
      expect(page.text).toContain("# A page");
      expect(page.details).toMatchObject({
        finalUrl: `${base}/page`,
        status: 200,
        extractor: "linear",
      });
    });
  });

  it("hands the rest to read, which goes on where the page was cut", async () => {
    await withToolkit(LOCAL, async ({ fetch, read }) => {
      const page = await fetch("/page", { maxChars: 2000 });
      const next = /path="(artifact:\/\/[^"]+)", offset=(\d+)(?:, cursor=(\d+))?/.exec(page.text);
      const [, path, offset, cursor] = next ?? [];
      const rest = await read({
        path,
        offset: Number(offset),
        ...(cursor === undefined ? {} : { cursor: Number(cursor) }),
      });
      expect(rest.isError).toBe(false);
      expect(rest.text).toContain("A sentence that says something");
      expect(rest.text).toContain("EXTERNAL_UNTRUSTED_CONTENT");
    });
  });

  it("refuses a local address that nobody allowed, and asks nobody else for it", async () => {
    await withToolkit({}, async ({ fetch, requests }) => {
      const page = await fetch("/page");
      expect(page.isError).toBe(true);
      expect(page.details).toMatchObject({ code: "denied", reason: "address_refused" });
      expect(requests()).toBe(0);
    });
  });
});
