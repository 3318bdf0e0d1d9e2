// Whose a connection to the proxy is. Every user of a machine reaches its loopback; on Linux the kernel
// says whose a socket is, so that the proxy serves the user it runs for and no one else.
import { readFile } from "node:fs/promises";
import { Agent } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { endianness } from "node:os";
import { type Route, showTarget, type Target } from "./judge-target.js";
import type { Passage } from "./open-socket.js";

const TABLE = "/proc/net/tcp";
const USER = /^(?: \S+){4} +(\d+)/;
const MAX_ROW_CHARS = 200;
/** The table is read in pieces while it changes, so that a row may be missed. */
const MAX_READINGS = 3;
const LOOPBACK = "127.0.0.1";

export type IsOwnClient = (client: Socket) => Promise<boolean>;

/** Everybody's, where the system does not say whose a connection is. */
export async function createOwnerCheck(): Promise<IsOwnClient> {
  const user = process.getuid?.();
  if (user === undefined) return async () => true;
  const isOwn: IsOwnClient = async (client) => {
    for (let reading = 1; reading <= MAX_READINGS; reading += 1) {
      const found = findUser(client, await readFile(TABLE, "latin1"));
      if (found !== undefined) return found === user;
    }
    return false;
  };
  return (await isKnown(isOwn)) ? isOwn : async () => true;
}

function findUser(client: Socket, table: string): number | undefined {
  const { remoteAddress, remotePort, localAddress, localPort } = client;
  // Seen from the other end.
  const entry = ` ${toEntry(remoteAddress, remotePort)} ${toEntry(localAddress, localPort)}`;
  const at = table.indexOf(entry);
  const found = at === -1 ? null : USER.exec(table.slice(at + entry.length, at + MAX_ROW_CHARS));
  return found ? Number(found[1]) : undefined;
}

/** As the kernel writes it: the address in the order of the machine, both in hexadecimal digits. */
function toEntry(address = "", port = 0): string {
  const bytes = address.split(".").map((byte) => Number(byte).toString(16).padStart(2, "0"));
  const ordered = endianness() === "LE" ? bytes.reverse() : bytes;
  return `${ordered.join("")}:${port.toString(16).padStart(4, "0")}`.toUpperCase();
}

/** By a connection that is surely ours; some containers have another table, or none. */
function isKnown(isOwn: IsOwnClient): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer(async (accepted) => {
      const answer = await isOwn(accepted).catch(() => false);
      accepted.destroy();
      client?.destroy();
      server.close(() => resolve(answer));
    });
    let client: Socket | undefined;
    server.on("error", () => resolve(false));
    server.listen(0, LOOPBACK, () => {
      const address = server.address();
      if (address === null || typeof address === "string") return resolve(false);
      client = connect({ host: LOOPBACK, port: address.port });
      client.on("error", () => undefined);
    });
  });
}

/** Answers go back in the order of the requests, so more would only wait for each other. */
const MAX_CONNECTIONS = 1;

export interface Lane {
  readonly name: string;
  readonly kept: Agent;
  readonly single: Agent;
  /** Rejects with the errors of the network port. `proxy`: the next one, when there is one. */
  whereTo(): Promise<{ readonly proxy: URL | undefined }>;
}

interface Traffic {
  current: Lane | undefined;
  readonly all: Set<Lane>;
}

type FindLane = (client: Socket, target: Target) => Lane;

export function createLanes(
  passage: Passage,
  { maxIdleMs }: { readonly maxIdleMs: number },
): FindLane {
  const traffics = new WeakMap<Socket, Traffic>();

  function trafficOf(client: Socket): Traffic {
    const known = traffics.get(client);
    if (known) return known;
    const traffic: Traffic = { current: undefined, all: new Set() };
    traffics.set(client, traffic);
    client.once("close", () => {
      for (const { kept, single } of traffic.all) {
        kept.destroy();
        single.destroy();
      }
    });
    return traffic;
  }

  return (client, target) => {
    const traffic = trafficOf(client);
    const { current } = traffic;
    if (current?.name === showTarget(target)) return current;
    if (current) retire(current, traffic);
    const lane = openLane({ passage, target, maxIdleMs });
    traffic.current = lane;
    traffic.all.add(lane);
    // What was refused is asked again next time.
    lane.whereTo().catch(() => {
      traffic.all.delete(lane);
      if (traffic.current === lane) traffic.current = undefined;
    });
    return lane;
  };
}

function openLane(request: {
  readonly passage: Passage;
  readonly target: Target;
  readonly maxIdleMs: number;
}): Lane {
  const { passage, target, maxIdleMs } = request;
  const kept = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
  const single = new Agent({ keepAlive: false });
  const judged = passage.judge(target);
  const connect = async (route: Route) => {
    const socket = await passage.connect({ target, route, use: "requests" });
    socket.setTimeout(maxIdleMs, () => socket.destroy());
    return socket;
  };
  for (const agent of [kept, single]) {
    agent.createConnection = (_options, done) => {
      judged.then(connect).then(
        (socket) => done?.(null, socket),
        // Where there is an error no one looks for a connection.
        (error: unknown) => done && Reflect.apply(done, undefined, [error]),
      );
      return undefined;
    };
  }
  return {
    name: showTarget(target),
    kept,
    single,
    whereTo: async () => {
      const route = await judged;
      return { proxy: route.kind === "proxied" ? route.proxy : undefined };
    },
  };
}

function retire(lane: Lane, traffic: Traffic): void {
  const { kept, single } = lane;
  kept.maxFreeSockets = 0;
  const idle = Object.values(kept.freeSockets).flatMap((sockets) => sockets ?? []);
  for (const socket of idle) socket.destroy();
  const isBusy = [kept, single].some(({ sockets }) => Object.keys(sockets).length > 0);
  if (!isBusy) traffic.all.delete(lane);
}
