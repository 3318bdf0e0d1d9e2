// From a URL to a connection: the host judged, its addresses found and judged, a kept or new
// connection to exactly those, or to the proxy that is configured.
import { isIPv6, type Socket } from "node:net";
import {
  type ConnectorParts,
  findAddresses,
  judgeUnresolved,
  type ResolveName,
} from "./connect/connector.js";
import { createPools, type Lane, type Undici } from "./connect/pools.js";
import type { Deadline } from "./deadline.js";
import { proxyInvalid, toNetError } from "./errors.js";
import type { Route } from "./filter/judge-target.js";
import { openSocket } from "./filter/open-socket.js";
import { type AddressRules, hostOf, portOf } from "./policy.js";

interface WayOutParts extends ConnectorParts {
  readonly resolve: ResolveName;
  readonly chooseProxy: ChooseProxy;
}

interface Leave {
  readonly url: URL;
  readonly rules: AddressRules;
  readonly deadline: Deadline;
}

export interface WayOut {
  open(leave: Leave): Promise<Lane>;
  connect(leave: Leave): Promise<Socket>;
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
      return await deadline.race(findAddresses({ url, rules, resolve }));
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
      const port = portOf(url) ?? 0;
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

const FROM_ENVIRONMENT = "env";
const SCHEMES = ["http:", "https:"];
const EXCEPTION = /^\*?\.?\[?(.*?)\]?(?::(\d+))?$/;
const SEPARATORS = /[\s,]+/;

export interface ProxySettings {
  /** `http://host:port`, or `env`: HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
  readonly url?: string | undefined;
  /** Hosts that are reached without it, each with all names below it. */
  readonly noProxy?: readonly string[] | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export type ChooseProxy = (url: URL) => string | undefined;

export function createProxyChoice(settings: ProxySettings, environment: Environment): ChooseProxy {
  const { url: configured, noProxy = [] } = settings;
  if (configured === undefined) return () => undefined;
  if (configured !== FROM_ENVIRONMENT) {
    const proxy = readProxy("tools.net.proxy", configured);
    return (url) => (isExcepted(url, noProxy) ? undefined : proxy);
  }
  const exceptions = [...noProxy, ...(read(environment, "no_proxy") ?? "").split(SEPARATORS)];
  return (url) => {
    const name = url.protocol === "https:" ? "https_proxy" : "http_proxy";
    const proxy = read(environment, name);
    if (proxy === undefined || isExcepted(url, exceptions)) return undefined;
    return readProxy(name.toUpperCase(), proxy);
  };
}

function read(environment: Environment, name: string): string | undefined {
  return environment[name] || environment[name.toUpperCase()] || undefined;
}

function readProxy(key: string, text: string): string {
  if (!URL.canParse(text)) throw proxyInvalid(key);
  const url = new URL(text);
  if (!SCHEMES.includes(url.protocol) || url.hostname === "") throw proxyInvalid(key);
  return url.href;
}

function isExcepted(url: URL, exceptions: readonly string[]): boolean {
  const host = hostOf(url);
  const port = String(portOf(url));
  return exceptions.some((entry) => {
    if (entry === "*") return true;
    const exception = readException(entry.toLowerCase());
    if (exception.name === "" || (exception.port ?? port) !== port) return false;
    return host === exception.name || host.endsWith(`.${exception.name}`);
  });
}

function readException(entry: string): { readonly name: string; readonly port?: string } {
  if (isIPv6(entry)) return { name: entry };
  const [, name = "", port] = EXCEPTION.exec(entry) ?? [];
  return port === undefined ? { name } : { name, port };
}
