// From a URL to a connection: the host judged, its addresses found and judged, a kept or new
// connection to exactly those, or to the proxy that is configured.

import type { Socket } from "node:net";
import type { ConnectorParts } from "./connect/connector.js";
import { findAddresses, judgeUnresolved, type ResolveName } from "./connect/find-addresses.js";
import { createPools, type Lane, type Undici } from "./connect/pools.js";
import type { Deadline } from "./deadline.js";
import { toNetError } from "./errors/to-net-error.js";
import type { Route } from "./filter/judge-target.js";
import { openSocket } from "./filter/open-socket.js";
import { hostOf } from "./policy/host-names.js";
import type { AddressRules } from "./policy/rules.js";
import type { ChooseProxy } from "./proxy/choose-proxy.js";

const DEFAULT_PORTS = { "http:": 80, "https:": 443 } as const;

export interface WayOutParts extends ConnectorParts {
  readonly resolve: ResolveName;
  readonly chooseProxy: ChooseProxy;
}

export interface Leave {
  readonly url: URL;
  readonly rules: AddressRules;
  readonly deadline: Deadline;
}

export interface WayOut {
  /** Rejects with the errors of the port. */
  open(leave: Leave): Promise<Lane>;
  /** Bytes to the place itself, through the proxy where one is configured. */
  connect(leave: Leave): Promise<Socket>;
  /** The same judgement without a connection. */
  judge(leave: Leave): Promise<void>;
  close(): Promise<void>;
}

export function createWayOut(parts: WayOutParts): WayOut {
  const { resolve, chooseProxy } = parts;
  const pools = createPools(parts);
  let loaded: Undici | undefined;

  /** One lookup: what it gives is judged, and is what is connected to. */
  async function find({ url, rules, deadline }: Leave): Promise<readonly string[]> {
    try {
      const found = findAddresses({ url, rules, resolve });
      return found instanceof Promise ? await deadline.race(found) : found;
    } catch (error) {
      throw toNetError(error, hostOf(url));
    }
  }

  return {
    async open(leave) {
      loaded ??= await import("undici");
      const { url, rules } = leave;
      const proxy = chooseProxy(url);
      if (proxy === undefined) {
        return pools.direct(loaded, { origin: url.origin, addresses: await find(leave) });
      }
      judgeUnresolved(url, rules);
      return pools.proxied(loaded, proxy);
    },
    async connect(leave) {
      const { url, rules, deadline } = leave;
      const proxy = chooseProxy(url);
      if (proxy !== undefined) judgeUnresolved(url, rules);
      const port =
        Number(url.port) || DEFAULT_PORTS[url.protocol === "https:" ? "https:" : "http:"];
      const route: Route =
        proxy === undefined
          ? { kind: "direct", addresses: await find(leave), port }
          : { kind: "proxied", proxy: new URL(proxy) };
      const target = { url, host: hostOf(url), port };
      return openSocket({ route, target, use: "stream", dial: parts.dial, deadline });
    },
    async judge(leave) {
      if (chooseProxy(leave.url) === undefined) await find(leave);
      else judgeUnresolved(leave.url, leave.rules);
    },
    close: () => pools.close(),
  };
}
