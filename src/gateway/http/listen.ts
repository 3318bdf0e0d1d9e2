// The port: HTTP and WebSocket on every address that the config binds to, with TLS where it is on.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import type { Duplex } from "node:stream";
import type { ClawtoolsConfig } from "../../config/index.js";
import { ToolError, ToolInputError } from "../../core/index.js";
import type { SocketLimit } from "../../lib/http/limits.js";
import { judgePlace, type ServedPlace } from "../../lib/http/request-guard.js";
import { MAX_AUTHENTICATED_BYTES } from "../../protocol/index.js";
import type { AuthMode } from "../auth/shared-secret.js";
import type { Upgrade } from "../connections/accept.js";
import { isLoopback, readRemote } from "./remote.js";

export const DEFAULT_PORT = 18_789;
const LOOPBACK = "127.0.0.1";
const LOOPBACK_NAMES = [LOOPBACK, "localhost", "[::1]"];
const TAILNET = /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;
const MAX_HEADER_BYTES = 16 * 1024;
const HEAD_LIMIT_MS = 5_000;
const REQUEST_LIMIT_MS = 30_000;
const CHECK_EVERY_MS = 1_000;

export interface TlsKeys {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string | undefined;
}

export interface ListenOptions {
  readonly config: () => ClawtoolsConfig;
  readonly port: number;
  readonly hosts: readonly string[];
  readonly tls: TlsKeys | undefined;
  readonly sockets: SocketLimit;
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
  readonly onUpgrade: (upgrade: Upgrade) => void;
}

/**
 * The addresses that `gateway.bind` means. Throws a ToolInputError when there is none, or when anybody
 * on the network could connect.
 */
export function findBindHosts(config: ClawtoolsConfig, mode: AuthMode): readonly string[] {
  const hosts = listBindHosts(config);
  if (mode !== "none" || hosts.every(isLoopback)) return hosts;
  throw new ToolInputError(
    'gateway.auth.mode "none" works on loopback only. Set gateway.auth.mode to token or gateway.bind to loopback.',
    { reason: "auth_required" },
  );
}

function listBindHosts({ gateway = {} }: ClawtoolsConfig): readonly string[] {
  const { bind = "loopback", customBindHost } = gateway;
  if (bind === "lan") return ["0.0.0.0"];
  if (bind === "custom" && customBindHost !== undefined) {
    return [...new Set([LOOPBACK, customBindHost])];
  }
  if (bind === "custom") {
    throw new ToolInputError("gateway.bind is custom: set gateway.customBindHost to an address.");
  }
  const tailnet = listAddresses().find((address) => TAILNET.test(address));
  if (bind === "tailnet" && tailnet === undefined) {
    throw new ToolError(
      "unavailable",
      "gateway.bind is tailnet, but this machine has no tailnet address. Start Tailscale or set gateway.bind to loopback.",
      { reason: "no_tailnet" },
    );
  }
  return bind === "tailnet" && tailnet !== undefined ? [LOOPBACK, tailnet] : [LOOPBACK];
}

export function listAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).flatMap(({ address, internal, family }) =>
      internal || family !== "IPv4" ? [] : [address],
    ),
  );
}

export async function listen(options: ListenOptions) {
  const { hosts, tls, config, sockets } = options;
  const { WebSocketServer } = await import("ws");
  const upgrades = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_AUTHENTICATED_BYTES,
    perMessageDeflate: false,
    clientTracking: false,
  });
  const servers: Server[] = [];
  let port = options.port;
  let place: ServedPlace = { hosts: new Set(), origins: new Set() };

  function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer) {
    const refusal = judgePlace(request, place);
    const remote = readRemote(request, config());
    if (refusal) return refuseUpgrade(stream, refusal.status, refusal.message, "forbidden");
    if (remote === undefined) {
      const message = "The request came through a proxy that gateway.trustedProxies does not list.";
      return refuseUpgrade(stream, 403, message, "proxy_attribution_required");
    }
    if ((request.url ?? "").split("?")[0] !== "/") {
      return refuseUpgrade(stream, 404, "WebSocket is served at /.", "not_found");
    }
    upgrades.handleUpgrade(request, stream, head, (socket) => {
      const admit = () => sockets.trust(request.socket);
      options.onUpgrade({ socket, stream, remote, admit });
    });
  }

  const closeAll = async () => {
    await Promise.all(
      servers.map(
        (server) =>
          new Promise<void>((resolve) => {
            server.close(() => resolve());
            server.closeAllConnections();
          }),
      ),
    );
  };
  try {
    for (const host of hosts) {
      const server = makeServer(tls);
      server.on("connection", sockets.add);
      server.on("request", options.onRequest);
      server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
        response.writeContinue();
        options.onRequest(request, response);
      });
      server.on("upgrade", upgrade);
      port = await bind(server, { host, port });
      servers.push(server);
    }
  } catch (error) {
    await closeAll();
    throw error;
  }
  place = toPlace(config(), { hosts, port, isTls: tls !== undefined });
  return {
    port,
    place,
    /** Takes no new connections. */
    stop() {
      for (const server of servers) server.close();
    },
    close: closeAll,
  };
}

function makeServer(tls: TlsKeys | undefined): Server {
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEAD_LIMIT_MS,
    requestTimeout: REQUEST_LIMIT_MS,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    // Judged by the guard, which has a better answer.
    requireHostHeader: false,
  };
  return tls === undefined ? createServer(options) : createTlsServer({ ...options, ...tls });
}

function bind(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === "EADDRINUSE"
          ? "another program uses it. Stop that program, or choose another port with --port or gateway.port."
          : `${cause.code ?? cause.message}. Choose another port or address.`;
      reject(
        new ToolError("unavailable", `Cannot listen on ${host}:${port}: ${why}`, {
          reason: "port_unusable",
          cause,
        }),
      );
    });
    server.listen({ host, port }, () => resolve(portOf(server.address())));
  });
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}

function toPlace(
  { gateway = {} }: ClawtoolsConfig,
  facts: { readonly hosts: readonly string[]; readonly port: number; readonly isTls: boolean },
): ServedPlace {
  const isOpen = facts.hosts.includes("0.0.0.0") || facts.hosts.includes("::");
  const own = isOpen ? [...listAddresses(), hostname(), `${hostname()}.local`] : facts.hosts;
  const names = [...LOOPBACK_NAMES, ...own.map(showHost)].map((name) => name.toLowerCase());
  const hosts = new Set([
    ...names.map((name) => `${name}:${facts.port}`),
    ...(gateway.allowedHosts ?? []).map((name) => name.toLowerCase()),
  ]);
  const scheme = facts.isTls ? "https" : "http";
  const origins = new Set([
    ...names.map((name) => `${scheme}://${name}:${facts.port}`),
    ...(gateway.allowedOrigins ?? []),
  ]);
  return { hosts, origins };
}

function showHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

function refuseUpgrade(stream: Duplex, status: number, message: string, type: string): void {
  const body = JSON.stringify({ ok: false, error: { type, message } });
  const head = [
    `HTTP/1.1 ${status} ${status === 404 ? "Not Found" : "Forbidden"}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  stream.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
