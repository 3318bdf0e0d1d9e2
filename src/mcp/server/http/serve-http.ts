// A server over streamable HTTP, on this machine only unless it is reported otherwise. What a request may
// not have is refused by its head; sessions and answers have files of their own.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ToolError, ToolInputError } from "../../../core/index.js";
import { createSocketLimit, createWrongSecrets } from "../../../lib/http/limits.js";
import type { McpServer } from "../serve-mcp.js";
import type { SessionSettings } from "../session/session-parts.js";
import { judgeShape, MCP_PATH, readToken } from "./guard.js";
import { createHandler, createJudge } from "./handle-request.js";
import { createHttpSessions } from "./http-sessions.js";

const DEFAULT_HOST = "127.0.0.1";
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 256;
const HEAD_LIMIT_MS = 5_000;
const REQUEST_LIMIT_MS = 30_000;
const CHECK_EVERY_MS = 1_000;
const DEFAULT_MAX_SESSIONS = 64;
const DEFAULT_IDLE_MS = 30 * 60_000;
const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];

export interface HttpServerLimits {
  /** Sessions at once; default 64. */
  readonly maxSessions?: number | undefined;
  /** A session that was not used for that long ends; default 30 minutes. */
  readonly idleMs?: number | undefined;
}

export interface McpHttpOptions extends HttpServerLimits {
  /** 0 for any that is free. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** At least 16 characters; made when it is not given. */
  readonly token?: string | undefined;
  /** Origins of web pages that may speak to it, next to its own. */
  readonly origins?: readonly string[] | undefined;
}

/** Throws when an option cannot be meant, or the port is taken. */
export async function serveHttp(
  settings: SessionSettings,
  options: McpHttpOptions,
): Promise<McpServer> {
  const token = readToken(options.token);
  const { host = DEFAULT_HOST } = options;
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEAD_LIMIT_MS,
    requestTimeout: REQUEST_LIMIT_MS,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    // Judged by the guard, which has a better answer.
    requireHostHeader: false,
  });
  const connections = createSocketLimit(MAX_CONNECTIONS);
  server.on("connection", connections.add);
  const port = await listen(server, { host, port: options.port });
  const names = [...LOOPBACK_NAMES, showHost(host)];
  const hosts = new Set(names.map((name) => `${name}:${port}`));
  const sessions = createHttpSessions({
    settings,
    maxSessions: options.maxSessions ?? DEFAULT_MAX_SESSIONS,
    idleMs: options.idleMs ?? DEFAULT_IDLE_MS,
  });
  const origins = new Set([
    ...[...hosts].map((one) => `http://${one}`),
    ...(options.origins ?? []),
  ]);
  const judge = createJudge({
    guard: { hosts, origins, token },
    wrongTokens: createWrongSecrets(),
  });
  const handle = createHandler({
    sessions,
    judge,
    trust: (request) => connections.trust(request.socket),
  });
  server.on("request", handle);
  // Or Node would ask for the body before the guard has looked at the head.
  server.on("checkContinue", handle);
  const closed = new Promise<void>((resolve) => server.once("close", () => resolve()));
  return {
    url: `http://${showHost(host)}:${port}${MCP_PATH}`,
    token,
    closed,
    async close() {
      sessions.close();
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export interface MountedMcp {
  /** For requests to `/mcp` whose host, origin and token were judged already. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  close(): void;
}

/** The same protocol inside a server of the caller's own. */
export function mountHttp(settings: SessionSettings, limits: HttpServerLimits = {}): MountedMcp {
  const { maxSessions = DEFAULT_MAX_SESSIONS, idleMs = DEFAULT_IDLE_MS } = limits;
  const sessions = createHttpSessions({ settings, maxSessions, idleMs });
  return { handle: createHandler({ sessions, judge: judgeShape }), close: sessions.close };
}

function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<number> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new ToolInputError("serveMcp: http.port must be a number from 0 to 65535.", {
      reason: "options_invalid",
    });
  }
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const message = `The MCP server cannot listen on ${showHost(host)}:${port} (${cause.code ?? cause.message}); choose another port.`;
      reject(new ToolError("unavailable", message, { reason: "port_unusable", cause }));
    });
    server.listen({ host, port }, () => resolve(portOf(server.address())));
  });
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}

function showHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
