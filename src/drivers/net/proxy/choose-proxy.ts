// Which proxy a URL goes through, if any: the one that is configured, or the environment's when the
// configuration says so.

import { isIPv6 } from "node:net";
import { proxyInvalid } from "../errors/failures.js";
import { hostOf } from "../policy/host-names.js";

const FROM_ENVIRONMENT = "env";
const SCHEMES = ["http:", "https:"];
/** `example.com`, `.example.com`, `*.example.com`, `[::1]`, each with a port or without. */
const EXCEPTION = /^\*?\.?\[?(.*?)\]?(?::(\d+))?$/;
const SEPARATORS = /[\s,]+/;
const DEFAULT_PORTS = new Map([
  ["http:", "80"],
  ["https:", "443"],
]);

export interface ProxySettings {
  /** `http://host:port`, or `env`: HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
  readonly url?: string | undefined;
  /** Hosts that are reached without it, each with all names below it. */
  readonly noProxy?: readonly string[] | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The URL of the proxy; undefined: none. Throws `invalid_input` for what is not a proxy. */
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
  const port = url.port || DEFAULT_PORTS.get(url.protocol);
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
