// The pages of the browser tests on a server of this machine: files of html/, pages made by size, and
// routes for what files cannot do. Knows nothing of vitest, because the benchmarks use it too.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerApi } from "./routes/api-routes.js";
import { answerFiles } from "./routes/file-routes.js";
import { answerLogin } from "./routes/login-routes.js";
import { answerOdd } from "./routes/odd-routes.js";
import { answerPage } from "./routes/page-routes.js";

const FIRST_HOST = "127.0.0.1";
/** Another site on the same machine; Linux has all of 127/8. */
const OTHER_HOST = "127.0.0.2";

export interface PageRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly port: number;
}

/** False when the path is none of its own. */
export type Route = (asked: PageRequest) => boolean | Promise<boolean>;

export interface PageServer {
  /** `http://127.0.0.1:<port>`. */
  readonly base: string;
  /** The same pages as another site: `http://127.0.0.2:<port>`. */
  readonly otherBase: string;
  readonly port: number;
  /** Method and path of every request, in order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

const ROUTES: readonly Route[] = [answerLogin, answerApi, answerFiles, answerOdd, answerPage];

export async function createPageServer(): Promise<PageServer> {
  const asked: string[] = [];
  let port = 0;
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? "/", `http://${FIRST_HOST}`);
    asked.push(`${request.method} ${url.pathname}`);
    void answer({ request, response, url, port });
  };
  const servers = [createServer(serve), createServer(serve)] as const;
  port = await listen({ server: servers[0], host: FIRST_HOST, port: 0 });
  await listen({ server: servers[1], host: OTHER_HOST, port });
  return {
    base: `http://${FIRST_HOST}:${port}`,
    otherBase: `http://${OTHER_HOST}:${port}`,
    port,
    asked,
    close: async () => {
      await Promise.all(servers.map(closeServer));
    },
  };
}

async function answer(asked: PageRequest): Promise<void> {
  try {
    for (const route of ROUTES) if (await route(asked)) return;
    asked.response.writeHead(404, { "content-type": "text/html; charset=utf-8" });
    asked.response.end("<!doctype html><title>Not found</title><h1>Not found</h1>");
  } catch {
    // The browser went away in the middle of a body: there is nobody to tell.
    asked.response.destroy();
  }
}

function listen(wish: { server: Server; host: string; port: number }): Promise<number> {
  const { server, host, port } = wish;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      // A server that listens on TCP has an address of this kind.
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
