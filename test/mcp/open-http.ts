// A server over HTTP in this process, and requests to it written by hand: what `fetch` would not send
// can be sent too.

import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import type { McpHttpOptions, McpServer } from "clawtools/mcp";
import { serveMcp } from "clawtools/mcp";
import { onTestFinished } from "vitest";
import { makeToolkit, type ServerWish } from "./open-server.js";

export const TOKEN = "test-token-0123456789";
export const HELLO = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "by-hand", version: "1" },
  },
};

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Wish {
  readonly method?: string;
  readonly path?: string;
  /** undefined takes one of the usual headers away. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: string | Buffer | object;
}

export interface OpenedHttp {
  readonly server: McpServer;
  readonly port: number;
  readonly token: string;
  send(wish?: Wish): Promise<Answered>;
  /** The id of a session that was initialized. */
  hello(params?: object): Promise<string>;
  /** Bytes as they are; resolves with all that came back when the connection ends. */
  raw(bytes: string, options?: { readonly end?: boolean }): Promise<string>;
}

export async function openHttp(
  http: Partial<McpHttpOptions> = {},
  wish: ServerWish = {},
): Promise<OpenedHttp> {
  const { toolkit, approvals } = await makeToolkit(wish);
  const server = await serveMcp(toolkit, {
    approvals,
    ...wish.server,
    http: { port: 0, token: TOKEN, ...http },
  });
  onTestFinished(() => server.close());
  const port = Number(new URL(server.url ?? "").port);
  const send = (one: Wish = {}) => sendTo(port, one);
  return {
    server,
    port,
    token: TOKEN,
    send,
    async hello(params = {}) {
      const body = { ...HELLO, params: { ...HELLO.params, ...params } };
      const { headers } = await send({ body });
      return String(headers["mcp-session-id"]);
    },
    raw: (bytes, options) => sendRaw({ port, bytes, ...options }),
  };
}

function sendTo(port: number, { method = "POST", path = "/mcp", headers, body }: Wish) {
  const isPlain = typeof body === "object" && !Buffer.isBuffer(body);
  const text = isPlain ? JSON.stringify(body) : body;
  const all = {
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${TOKEN}`,
    accept: "application/json, text/event-stream",
    ...(method === "POST" ? { "content-type": "application/json" } : {}),
    ...headers,
  };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new Promise<Answered>((resolve, reject) => {
    const request = httpRequest(
      { port, method, path, headers: given, agent: false },
      (response) => {
        let received = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          received += part;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: received }),
        );
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end(text);
  });
}

function sendRaw(wish: { port: number; bytes: string; end?: boolean }): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(wish.port, "127.0.0.1");
    let received = "";
    socket.setEncoding("utf8").on("data", (part: string) => {
      received += part;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(received));
    socket.write(wish.bytes);
    if (wish.end) socket.end();
  });
}
