// A small internet: a resolver that answers what a test says, one server for every address that the
// test calls public, and a canary that counts every connection to any other.
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Net, NetRequest } from "../../../src/core/index.js";
import { createNet, type NetOptions } from "../../../src/drivers/net/index.js";

const LOOPBACK = "127.0.0.1";

export const PUBLIC_ADDRESS = "93.184.215.14";

export interface DialTarget {
  readonly addresses: readonly string[];
  readonly port: number;
}

export interface Town {
  /** Addresses that lead to the public server; all others lead to the canary. */
  readonly publicAddresses: Set<string>;
  /** Connections that no test may cause. */
  canaryHits(): number;
  publicHits(): number;
  /** What the public server was asked, oldest first. */
  readonly requests: IncomingMessage[];
  /** Every connection that was opened by `dial`, oldest first. */
  readonly sockets: Socket[];
  /** The last step of a connection, in place of the real internet. */
  dial(target: DialTarget): Socket;
  net(options?: NetOptions): Net;
  close(): Promise<void>;
}

const answerHello: RequestListener = (_request, response) => {
  response.end("hello");
};

export async function createTown(answer: RequestListener = answerHello): Promise<Town> {
  const requests: IncomingMessage[] = [];
  const front = await listen((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  const canaryV4 = await listen(answerHello);
  const canaryV6 = await listen(answerHello, { host: "::1", port: canaryV4.port });
  const publicAddresses = new Set([PUBLIC_ADDRESS]);
  const sockets: Socket[] = [];
  const nets: Net[] = [];

  function dial({ addresses }: DialTarget): Socket {
    const isPublic = addresses.every((address) => publicAddresses.has(address));
    const host = addresses.includes("::1") ? "::1" : LOOPBACK;
    const socket = isPublic
      ? connect({ host: LOOPBACK, port: front.port })
      : connect({ host, port: canaryV4.port });
    sockets.push(socket);
    return socket;
  }

  return {
    publicAddresses,
    canaryHits: () => canaryV4.hits() + canaryV6.hits(),
    publicHits: front.hits,
    requests,
    sockets,
    dial,
    net(options = {}) {
      const net = createNet({ resolve: async () => [PUBLIC_ADDRESS], dial, ...options });
      nets.push(net);
      return net;
    },
    async close() {
      await Promise.all(nets.map((net) => net.close()));
      await Promise.all([front, canaryV4, canaryV6].map((listener) => listener.close()));
    },
  };
}

export interface Listener {
  readonly server: Server;
  readonly port: number;
  hits(): number;
  close(): Promise<void>;
}

export async function listen(
  answer: RequestListener,
  { host = LOOPBACK, port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<Listener> {
  let hits = 0;
  const server = createServer(answer);
  server.on("connection", () => {
    hits += 1;
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  // A server that listens on a port has an address of this kind.
  const { port: actual } = server.address() as AddressInfo;
  return {
    server,
    port: actual,
    hits: () => hits,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function get(url: string, more: Partial<NetRequest> = {}): NetRequest {
  return {
    url,
    limits: { maxBytes: 100_000, timeoutMs: 10_000 },
    signal: new AbortController().signal,
    ...more,
  };
}

/** "ok", or the reason of the error; what is no ToolError is thrown on. */
export async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "ok";
  } catch (error) {
    const reason: unknown = error instanceof Error ? Reflect.get(error, "reason") : undefined;
    if (typeof reason !== "string") throw error;
    return reason;
  }
}
