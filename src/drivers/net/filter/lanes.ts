// Where the requests of one client connection go: it has a connection of its own to the server, kept
// for as long as it asks the same one. So a name is looked up and judged once for each of them.

import { Agent } from "node:http";
import type { Socket } from "node:net";
import type { Route } from "./judge-target.js";
import type { Passage } from "./passage.js";
import { showTarget, type Target } from "./target.js";

/** Answers go back in the order of the requests, so more would only wait for each other. */
const MAX_CONNECTIONS = 1;

export interface Lane {
  /** `host:port`. */
  readonly name: string;
  /** Keeps its connection for the next request. */
  readonly kept: Agent;
  /** One connection for one request. */
  readonly single: Agent;
  /** Rejects with the errors of the network port. `proxy`: the next one, when there is one. */
  whereTo(): Promise<{ readonly proxy: URL | undefined }>;
}

interface Traffic {
  /** Taken by the next request for the same server. */
  current: Lane | undefined;
  /** With those that still have an answer to bring. */
  readonly all: Set<Lane>;
}

export type FindLane = (client: Socket, target: Target) => Lane;

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

/** Its last answers still come; then nothing of it stays. */
function retire(lane: Lane, traffic: Traffic): void {
  const { kept, single } = lane;
  kept.maxFreeSockets = 0;
  const idle = Object.values(kept.freeSockets).flatMap((sockets) => sockets ?? []);
  for (const socket of idle) socket.destroy();
  const isBusy = [kept, single].some(({ sockets }) => Object.keys(sockets).length > 0);
  if (!isBusy) traffic.all.delete(lane);
}
