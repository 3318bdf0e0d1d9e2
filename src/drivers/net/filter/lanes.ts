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
  readonly agent: Agent;
  /** Rejects with the errors of the network port. `proxy`: the next one, when there is one. */
  whereTo(): Promise<{ readonly proxy: URL | undefined }>;
}

export type FindLane = (client: Socket, target: Target) => Lane;

export function createLanes(
  passage: Passage,
  { maxIdleMs }: { readonly maxIdleMs: number },
): FindLane {
  const lanes = new WeakMap<Socket, Lane & { readonly name: string }>();

  function makeLane(client: Socket, target: Target): Lane & { readonly name: string } {
    const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
    const judged = passage.judge(target);
    const connect = async (route: Route) => {
      const socket = await passage.connect({ target, route, use: "requests" });
      socket.setTimeout(maxIdleMs, () => socket.destroy());
      return socket;
    };
    agent.createConnection = (_options, done) => {
      judged.then(connect).then(
        (socket) => done?.(null, socket),
        // Where there is an error nobody looks for a connection.
        (error: unknown) => done && Reflect.apply(done, undefined, [error]),
      );
      return undefined;
    };
    // What was refused is asked anew next time.
    judged.catch(() => lanes.delete(client));
    return {
      name: showTarget(target),
      agent,
      whereTo: async () => {
        const route = await judged;
        return { proxy: route.kind === "proxied" ? route.proxy : undefined };
      },
    };
  }

  return (client, target) => {
    const known = lanes.get(client);
    if (known?.name === showTarget(target)) return known;
    const lane = makeLane(client, target);
    lanes.set(client, lane);
    client.once("close", () => lane.agent.destroy());
    return lane;
  };
}
