// What a client of the proxy asks for, read from its request line: a host, a port, and for a plain
// request the rest of the address.

import { hostOf } from "../policy/host-names.js";

const DEFAULT_PORTS = new Map([
  ["http:", 80],
  ["ws:", 80],
  ["https:", 443],
  ["wss:", 443],
]);
/** `host:port` of a tunnel; the host in brackets when it is IPv6. */
const AUTHORITY = /^(?:\[[\da-fA-F:.]+\]|[^\s/\\?#@:[\]]+):\d{1,5}$/;

/** Behind the host, as it was written. */
const WRITTEN_PATH = /^http:\/\/[^/\\?#]*([/?][^#]*)/i;

export interface Target {
  /** In canonical form, without brackets and without the dot at the end. */
  readonly host: string;
  readonly port: number;
  /** By it hosts are judged, and the next proxy is chosen: `https:` for a tunnel. */
  readonly url: URL;
}

/** undefined for what is not a host and port. */
export function readAuthority(text: string): Target | undefined {
  return AUTHORITY.test(text) ? readTarget(`https://${text}/`) : undefined;
}

/** The absolute form of a plain request; undefined for everything else. */
export function readPlainUrl(text: string): Target | undefined {
  const target = readTarget(text);
  return target?.url.protocol === "http:" ? target : undefined;
}

/** As the client wrote it: a server may tell spellings apart. */
export function pathOf(text: string, { url }: Target): string {
  const written = WRITTEN_PATH.exec(text)?.[1] ?? `${url.pathname}${url.search}`;
  return written.startsWith("/") ? written : `/${written}`;
}

/** undefined for what no connection is made for: `data:`, `about:` … */
export function readTarget(text: string): Target | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const usual = DEFAULT_PORTS.get(url.protocol);
  const host = hostOf(url);
  if (usual === undefined || host === "") return undefined;
  return { host, port: url.port === "" ? usual : Number(url.port), url };
}

export function showTarget({ host, port }: Pick<Target, "host" | "port">): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
