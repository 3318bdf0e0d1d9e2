// A server on this machine that speaks the wire formats of all providers of web search, and answers
// with whatever else a test puts before that.
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface AskedSearch {
  readonly method: string;
  readonly path: string;
  readonly search: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  /** Read as JSON; undefined without a body. */
  readonly body: Record<string, unknown> | undefined;
}

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The head comes, the rest never. */
  readonly isEndless?: boolean;
}

export interface SearchServer {
  readonly base: string;
  readonly asked: readonly AskedSearch[];
  /** The next answers, in this order; then the usual ones again. */
  script(...answers: readonly ScriptedAnswer[]): void;
}

export const page = (name: string): string =>
  readFileSync(new URL(`../data/search/${name}.html`, import.meta.url), "utf8");

const USUAL: Readonly<Record<string, () => string>> = {
  "/res/v1/web/search": () =>
    JSON.stringify({
      query: { original: "otters" },
      web: {
        results: [
          {
            title: "About <strong>otters</strong>",
            url: "https://water.example/Otter",
            description: "The <strong>otter</strong> &amp; its river\u200b.",
            age: "2 days ago",
            page_age: "2026-01-31T10:00:00",
          },
          { title: "Nobody's", url: "javascript:alert(1)", description: "no address" },
          { title: "Second", url: "https://other.example/b", description: "" },
        ],
      },
    }),
  "/chat/completions": () =>
    JSON.stringify({
      choices: [{ message: { role: "assistant", content: "Otters swim well [1]." } }],
      citations: ["https://water.example/Otter"],
      search_results: [
        { title: "About otters", url: "https://water.example/Otter", date: "2026-01-31" },
      ],
    }),
  "/api/v1/chat/completions": () =>
    JSON.stringify({
      choices: [
        {
          message: {
            role: "assistant",
            content: "Otters swim well.",
            annotations: [
              {
                type: "url_citation",
                url_citation: { url: "https://water.example/Otter", title: "About otters" },
              },
            ],
          },
        },
      ],
    }),
  "/v2/search": () =>
    JSON.stringify({
      success: true,
      data: {
        web: [{ title: "About otters", url: "https://water.example/Otter", description: "Swims." }],
      },
    }),
  "/search": () =>
    JSON.stringify({
      query: "otters",
      results: [
        {
          title: "About otters",
          url: "https://water.example/Otter",
          content: "Tags such as <b> stay.",
          publishedDate: "2026-01-31T00:00:00",
        },
        {
          title: "Old names",
          url: "https://old.example/",
          description: "x",
          published: "2025-02-01",
        },
      ],
    }),
  "/html/": () => page("duckduckgo-hits"),
};

/** Ends with the test. */
export async function startSearchServer(): Promise<SearchServer> {
  const asked: AskedSearch[] = [];
  const scripted: ScriptedAnswer[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://server");
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part));
    const text = Buffer.concat(parts).toString("utf8");
    const { method = "", headers } = request;
    asked.push({
      method,
      path: url.pathname,
      search: url.searchParams,
      headers,
      body: text === "" ? undefined : JSON.parse(text),
    });
    const usual = USUAL[url.pathname];
    const {
      status = 200,
      headers: given = {},
      ...next
    } = scripted.shift() ?? (usual ? { body: usual() } : { status: 404 });
    response.writeHead(status, given);
    if (next.isEndless === true) response.write(next.body ?? " ");
    else response.end(next.body);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}`,
    asked,
    script: (...answers) => {
      scripted.push(...answers);
    },
  };
}
