// A proxy on loopback for the browsers of one policy: each request and each tunnel is judged by the
// rules of the network port, and connected to the addresses that were judged.

import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import type { FilterProblem, NetFilter } from "../../../core/browser.js";
import type { AddressPolicy } from "../../../core/index.js";
import { type Dial, dialTcp, type ResolveName, resolveBySystem } from "../connect/connector.js";
import { readRules } from "../policy.js";
import { createProxyChoice, type Environment, type ProxySettings } from "../way-out.js";
import { createLanes, createOwnerCheck, type IsOwnClient } from "./client-owner.js";
import {
  type Crossing,
  forwardRequest,
  MAX_HEADER_BYTES,
  openTunnel,
  openUpgrade,
} from "./forward-request.js";
import {
  BAD_REQUEST,
  createTargetJudge,
  readOriginRules,
  readPlainUrl,
  readTarget,
  refuseRequest,
  refuseSocket,
  STRANGER,
  type Target,
} from "./judge-target.js";
import { createPassage, type Passage } from "./open-socket.js";

const DEFAULT_MAX_IDLE_MS = 15 * 60_000;

export interface FilterOptions {
  readonly policy?: AddressPolicy | undefined;
  readonly policyKey?: string | undefined;
  /** `https://example.com`, `http://localhost:3000`, `*.example.com`, `localhost:*`: by host and port. */
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly allowedKey?: string | undefined;
  readonly blockedOrigins?: readonly string[] | undefined;
  /** Of this machine, next to the proxy's own and those by which browsers are driven. */
  readonly denyPorts?: readonly number[] | undefined;
  /** The proxy behind this one, as for the network port. */
  readonly proxy?: ProxySettings | undefined;
  readonly environment?: Environment | undefined;
  readonly resolve?: ResolveName | undefined;
  readonly dial?: Dial | undefined;
  readonly maxIdleMs?: number | undefined;
  /** Whose clients are served; by default those of the user of this process. */
  readonly isOwnClient?: IsOwnClient | undefined;
  /** A Unix socket to listen on instead of loopback; its folder says who may connect. */
  readonly socketPath?: string | undefined;
}

export async function createFilterProxy(options: FilterOptions = {}): Promise<NetFilter> {
  const { allowedOrigins: allowed, blockedOrigins: blocked, denyPorts = [] } = options;
  const refusedPorts = [...denyPorts];
  const log = createProblemLog(Date.now);
  const passage = createPassage({
    judge: createTargetJudge({
      rules: readRules(options.policy ?? {}, options.policyKey),
      origins: readOriginRules({ allowed, blocked, allowedKey: options.allowedKey }),
      resolve: options.resolve ?? resolveBySystem,
      chooseProxy: createProxyChoice(options.proxy ?? {}, options.environment ?? process.env),
      isPortRefused: (asked) => refusedPorts.includes(asked),
    }),
    dial: options.dial ?? dialTcp,
    log,
  });
  const { socketPath } = options;
  const isOwnClient =
    options.isOwnClient ?? (socketPath === undefined ? await createOwnerCheck() : async () => true);
  const door = await openDoor(passage, {
    isOwnClient,
    socketPath,
    maxIdleMs: options.maxIdleMs ?? DEFAULT_MAX_IDLE_MS,
  });
  refusedPorts.push(door.port);

  return {
    address: { host: LOOPBACK, port: door.port },
    problemOf(url, since) {
      const target = readTarget(url);
      return target && log.newestOf(target, since);
    },
    problems: log.list,
    counts: () => ({ ...passage.counts(), open: door.openClients() }),
    refusePort(refused) {
      refusedPorts.push(refused);
      return () => {
        const index = refusedPorts.indexOf(refused);
        if (index !== -1) refusedPorts.splice(index, 1);
      };
    },
    async judge(url, { signal }) {
      const target = readTarget(url);
      if (target) await passage.check(target, { signal });
    },
    async close() {
      passage.close();
      await door.close();
    },
  };
}

const LOOPBACK = "127.0.0.1";
const MAX_CLIENTS = 1_024;
/** Longer than Chromium keeps a connection, used or not, so that it is the one to end it. */
const MAX_HEAD_MS = 90_000;
const KEPT_MS = 310_000;

interface DoorOptions {
  readonly isOwnClient: IsOwnClient;
  readonly maxIdleMs: number;
  readonly socketPath: string | undefined;
}

interface Door {
  readonly port: number;
  openClients(): number;
  close(): Promise<void>;
}

/** Listens on a free port of loopback, or on a Unix socket. Keeps no process alive by itself. */
async function openDoor(passage: Passage, options: DoorOptions): Promise<Door> {
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

const MAX_PROBLEMS = 200;

export type ProblemLog = ReturnType<typeof createProblemLog>;

type Place = Pick<Target, "host" | "port">;

function createProblemLog(now: () => number) {
  const problems: FilterProblem[] = [];
  return {
    add({ host, port }: Place, error: FilterProblem["error"]): void {
      problems.push({ host, port, atMs: now(), error });
      if (problems.length > MAX_PROBLEMS) problems.shift();
    },
    newestOf: ({ host, port }: Place, { sinceMs }: { readonly sinceMs: number }) =>
      problems.findLast(
        (problem) => problem.host === host && problem.port === port && problem.atMs >= sinceMs,
      ),
    list: (): readonly FilterProblem[] => [...problems],
  };
}
