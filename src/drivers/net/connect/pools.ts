// Connections that are kept for the next request. A kept one is used again only for the same origin
// and the same checked addresses, so an answer of the resolver that changes never meets it.

import type { Dispatcher } from "undici";
import { MAX_HEADER_BYTES, netClosed } from "../errors.js";
import {
  type Connector,
  type ConnectorParts,
  createConnector,
  toAuthorities,
} from "./connector.js";

const MAX_POOLS = 64;
const MAX_CONNECTIONS_PER_POOL = 16;
const LIMITS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  keepAliveTimeout: 4_000,
  // The deadline of each request counts instead of these.
  headersTimeout: 0,
  bodyTimeout: 0,
};

interface Kept {
  readonly pool: Dispatcher;
  readonly connector: Connector | undefined;
  active: number;
}

export interface Lane {
  readonly dispatcher: Dispatcher;
  leave(): void;
}

export type Undici = Pick<typeof import("undici"), "Pool" | "ProxyAgent">;

export interface DirectTarget {
  readonly origin: string;
  readonly addresses: readonly string[];
}

export interface Pools {
  direct(undici: Undici, target: DirectTarget): Lane;
  proxied(undici: Undici, proxy: string): Lane;
  close(): Promise<void>;
}

export function createPools(parts: ConnectorParts): Pools {
  const kept = new Map<string, Kept>();
  /** No longer used for what comes, but their last requests have not ended. */
  const leaving = new Set<Kept>();
  let isClosed = false;

  function enter(key: string, make: () => Kept): Lane {
    if (isClosed) throw netClosed();
    const entry = kept.get(key) ?? make();
    kept.delete(key);
    kept.set(key, entry);
    if (kept.size > MAX_POOLS) dropOldest();
    entry.active += 1;
    return {
      dispatcher: entry.pool,
      leave() {
        entry.active -= 1;
        if (entry.active === 0) entry.connector?.endOpening();
      },
    };
  }

  function dropOldest(): void {
    const [oldest] = kept;
    if (!oldest) return;
    const [key, entry] = oldest;
    kept.delete(key);
    leaving.add(entry);
    const forget = () => leaving.delete(entry);
    // It is refused when all of them are ended meanwhile.
    entry.pool.close().then(forget, forget);
  }

  return {
    direct: (undici, target) =>
      enter([target.origin, ...[...target.addresses].sort()].join(" "), () =>
        createDirect(undici, { parts, target }),
      ),
    proxied: (undici, proxy) =>
      enter(`proxy ${proxy}`, () => createProxied(undici, { parts, proxy })),
    async close() {
      isClosed = true;
      const all = [...kept.values(), ...leaving];
      kept.clear();
      for (const { connector } of all) connector?.endOpening();
      await Promise.all(all.map(({ pool }) => pool.destroy()));
    },
  };
}

function createDirect(
  { Pool }: Undici,
  { parts, target }: { readonly parts: ConnectorParts; readonly target: DirectTarget },
): Kept {
  const { origin, addresses } = target;
  const connector = createConnector(parts, { addresses, isWanted: () => entry.active > 0 });
  const pool = new Pool(origin, {
    ...LIMITS,
    connect: connector.connect,
    connections: MAX_CONNECTIONS_PER_POOL,
  });
  const entry: Kept = { pool, connector, active: 0 };
  return entry;
}

function createProxied(
  { ProxyAgent }: Undici,
  { parts, proxy }: { readonly parts: ConnectorParts; readonly proxy: string },
): Kept {
  const pool = new ProxyAgent({
    ...LIMITS,
    uri: proxy,
    // Proxies take plain requests as such, and tunnels for https only.
    proxyTunnel: false,
    requestTls: toAuthorities(parts.trustedCertificate),
  });
  return { pool, connector: undefined, active: 0 };
}
