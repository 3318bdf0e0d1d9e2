// The listening side of the proxy: who comes in, by which of its three ways, and how all of them leave.

import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import type { IsOwnClient } from "./client-owner.js";
import { forwardRequest, MAX_HEADER_BYTES } from "./forward-request.js";
import { createLanes } from "./lanes.js";
import type { Passage } from "./passage.js";
import { BAD_REQUEST, refuseRequest, refuseSocket, STRANGER } from "./refuse.js";
import { readPlainUrl } from "./target.js";
import { type Crossing, openTunnel, openUpgrade } from "./tunnel.js";

export const LOOPBACK = "127.0.0.1";
const MAX_CLIENTS = 1_024;
/** Longer than Chromium keeps a connection, used or not, so that it is the one to end it. */
const MAX_HEAD_MS = 90_000;
const KEPT_MS = 310_000;

export interface DoorOptions {
  readonly isOwnClient: IsOwnClient;
  readonly maxIdleMs: number;
  /** A Unix socket to listen on instead of loopback. */
  readonly socketPath: string | undefined;
}

export interface Door {
  /** 0 for a Unix socket. */
  readonly port: number;
  /** Connections that are open now. */
  openClients(): number;
  close(): Promise<void>;
}

/** Listens on a free port of loopback, or on a Unix socket. Keeps no process alive by itself. */
export async function openDoor(passage: Passage, options: DoorOptions): Promise<Door> {
  const { isOwnClient, maxIdleMs } = options;
  const clients = new Map<Socket, Promise<boolean>>();
  const findLane = createLanes(passage, { maxIdleMs });
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: MAX_HEAD_MS,
    // An upload takes as long as it takes; one that stops is idle.
    requestTimeout: 0,
    keepAliveTimeout: KEPT_MS,
    noDelay: true,
  });
  server.maxConnections = MAX_CLIENTS;
  server.timeout = maxIdleMs;

  server.on("connection", (client) => {
    // A client may end before its owner is looked up.
    clients.set(
      client,
      isOwnClient(client).catch(() => false),
    );
    client.once("close", () => clients.delete(client));
  });
  server.on("request", async (request, response) => {
    if (!(await clients.get(request.socket))) return refuseRequest(response, STRANGER);
    const target = readPlainUrl(request.url ?? "");
    if (!target) return refuseRequest(response, BAD_REQUEST);
    await forwardRequest({ request, response, target, lane: findLane(request.socket, target) });
  });
  const cross =
    (open: (crossing: Crossing) => Promise<void>) =>
    async (request: IncomingMessage, _stream: unknown, rest: Buffer) => {
      const client = request.socket;
      client.on("error", () => client.destroy());
      if (!(await clients.get(client))) return refuseSocket(client, STRANGER);
      await open({ request, client, rest, passage, maxIdleMs });
    };
  server.on("connect", cross(openTunnel));
  server.on("upgrade", cross(openUpgrade));
  server.on("clientError", (_error, client) => {
    // In the middle of an answer nothing more can be said.
    if (client instanceof Socket && client.bytesWritten === 0) refuseSocket(client, BAD_REQUEST);
    else client.destroy();
  });

  await listen(server, options.socketPath);
  server.unref();
  return {
    // A server that listens on a port has an address of this kind.
    port: options.socketPath === undefined ? (server.address() as AddressInfo).port : 0,
    openClients: () => clients.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const client of clients.keys()) client.destroy();
      }),
  };
}

function listen(server: Server, path: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path === undefined ? { port: 0, host: LOOPBACK } : { path }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
