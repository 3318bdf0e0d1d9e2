// Where a connection may go: the ports of our own are kept, origins and hosts judged by name, all
// addresses of one lookup by the policy. What is given back is what is connected to.

import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type ToolError, ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { isThisMachine } from "../address.js";
import { findAddresses, judgeUnresolved, type ResolveName } from "../connect/connector.js";
import type { Deadline } from "../deadline.js";
import { addressRefused, hostRefused, toNetError } from "../errors.js";
import {
  type AddressRules,
  type HostPattern,
  hostOf,
  isLoopbackName,
  matchesHost,
  portOf,
  readHostPatterns,
} from "../policy.js";
import type { ChooseProxy } from "../way-out.js";

/** By these ports browsers are driven: who reaches one is master of a browser. */
const FIRST_DRIVING_PORT = 18_800;
const LAST_DRIVING_PORT = 18_899;

export type Route =
  | { readonly kind: "direct"; readonly addresses: readonly string[]; readonly port: number }
  | { readonly kind: "proxied"; readonly proxy: URL };

interface JudgeParts {
  readonly rules: AddressRules;
  readonly origins: OriginRules;
  readonly resolve: ResolveName;
  readonly chooseProxy: ChooseProxy;
  readonly isPortRefused: (port: number) => boolean;
}

export type JudgeTarget = (target: Target, deadline: Deadline) => Promise<Route>;

export function createTargetJudge(parts: JudgeParts): JudgeTarget {
  const { rules, origins, resolve, chooseProxy } = parts;

  function assertPort(target: Target, addresses: readonly string[]): void {
    const { host, port } = target;
    const isDriving = port >= FIRST_DRIVING_PORT && port <= LAST_DRIVING_PORT;
    if (!isDriving && !parts.isPortRefused(port)) return;
    if (!isLoopbackName(host) && !addresses.some(isThisMachine)) return;
    const what = `leads to port ${port} of this machine, which belongs to clawtools`;
    throw addressRefused({ host, what, keys: [], policyKey: rules.key });
  }

  return async (target, deadline) => {
    const { url, host, port } = target;
    if (port === 0) {
      throw hostRefused({ host, rule: "port 0 is none", advice: "name another port" });
    }
    judgeOrigin(target, origins);
    const proxy = chooseProxy(url);
    if (proxy !== undefined) {
      judgeUnresolved(url, rules);
      assertPort(target, [host]);
      return { kind: "proxied", proxy: new URL(proxy) };
    }
    try {
      const addresses = await deadline.race(findAddresses({ url, rules, resolve }));
      assertPort(target, addresses);
      return { kind: "direct", addresses, port };
    } catch (error) {
      throw toNetError(error, host);
    }
  };
}

const AUTHORITY = /^(?:\[[\da-fA-F:.]+\]|[^\s/\\?#@:[\]]+):\d{1,5}$/;
const WRITTEN_PATH = /^http:\/\/[^/\\?#]*([/?][^#]*)/i;

export interface Target {
  readonly host: string;
  readonly port: number;
  /** By it hosts are judged, and the next proxy is chosen: `https:` for a tunnel. */
  readonly url: URL;
}

export function readAuthority(text: string): Target | undefined {
  return AUTHORITY.test(text) ? readTarget(`https://${text}/`) : undefined;
}

export function readPlainUrl(text: string): Target | undefined {
  const target = readTarget(text);
  return target?.url.protocol === "http:" ? target : undefined;
}

export function pathOf(text: string, { url }: Target): string {
  const written = WRITTEN_PATH.exec(text)?.[1] ?? `${url.pathname}${url.search}`;
  return written.startsWith("/") ? written : `/${written}`;
}

export function readTarget(text: string): Target | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const host = hostOf(url);
  const port = WEB_SCHEME.test(url.protocol) ? portOf(url) : undefined;
  return port === undefined || host === "" ? undefined : { host, port, url };
}

export function showTarget({ host, port }: Pick<Target, "host" | "port">): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

const ALLOWED_KEY = "browser.allowedOrigins";
const BLOCKED_KEY = "browser.blockedOrigins";
const ANY_PORT = "*";
const WEB_SCHEME = /^(?:http|ws)s?:$/;
const WEB_PORTS = [80, 443];
const MAX_PORT = 65_535;
const ORIGIN =
  /^(?:(?<scheme>https?|wss?):\/\/)?(?<host>\[[^\]]+\]|[^\s/:?#@]+)(?::(?<port>\d{1,5}|\*))?\/?$/i;

interface OriginPattern {
  readonly host: HostPattern;
  readonly ports: readonly number[] | undefined;
}

interface OriginRules {
  readonly allowed: readonly OriginPattern[] | undefined;
  readonly blocked: readonly OriginPattern[];
  readonly allowedKey: string;
}

export function readOriginRules(lists: {
  readonly allowed: readonly string[] | undefined;
  readonly blocked: readonly string[] | undefined;
  readonly allowedKey?: string | undefined;
}): OriginRules {
  const { allowedKey = ALLOWED_KEY } = lists;
  return {
    allowedKey,
    allowed: lists.allowed?.map((entry) => readOrigin(allowedKey, entry)),
    blocked: (lists.blocked ?? []).map((entry) => readOrigin(BLOCKED_KEY, entry)),
  };
}

function judgeOrigin(target: Target, { allowed, blocked, allowedKey }: OriginRules): void {
  const host = showTarget(target);
  if (blocked.some((pattern) => matches(target, pattern))) {
    throw hostRefused({
      host,
      rule: `${BLOCKED_KEY} names it`,
      advice: `take it out of ${BLOCKED_KEY} to reach it`,
    });
  }
  if (allowed && !allowed.some((pattern) => matches(target, pattern))) {
    throw hostRefused({
      host,
      rule: `${allowedKey} does not name it`,
      advice: `add it to ${allowedKey} to reach it`,
    });
  }
}

function matches({ host, port }: Target, pattern: OriginPattern): boolean {
  return matchesHost(host, [pattern.host]) && (pattern.ports?.includes(port) ?? true);
}

function readOrigin(key: string, entry: string): OriginPattern {
  const { scheme, host: name, port } = ORIGIN.exec(entry)?.groups ?? {};
  const isPortFit = port === undefined || port === ANY_PORT || Number(port) <= MAX_PORT;
  const [host] = name === undefined || !isPortFit ? [] : readHostPatterns(key, [name]);
  if (host === undefined) throw originInvalid(key, entry);
  if (port === ANY_PORT) return { host, ports: undefined };
  if (port !== undefined) return { host, ports: [Number(port)] };
  const usual = portOf({ port: "", protocol: `${scheme?.toLowerCase()}:` });
  return { host, ports: usual === undefined ? WEB_PORTS : [usual] };
}

function originInvalid(key: string, entry: string): ToolInputError {
  return new ToolInputError(
    `${key}: "${toPrintable(entry)}" is not a valid origin; write one such as "https://example.com", "http://localhost:3000", "*.example.com" or "localhost:*", without a path.`,
    { reason: "ssrf_policy_invalid", details: { key } },
  );
}

const FILTER_HEADER = "clawtools-filter";

const TEXTS = new Map([
  [400, "This is a proxy, and that is nothing it can be asked for."],
  [403, "Refused by the network policy of clawtools."],
  [502, "The server was not reached."],
  [504, "The server was not reached in time."],
]);

interface Refusal {
  readonly status: number;
  readonly reason: string;
}

export const BAD_REQUEST: Refusal = { status: 400, reason: "bad_request" };
export const STRANGER: Refusal = { status: 403, reason: "stranger_refused" };

export function toRefusal(error: ToolError): Refusal {
  const status = error.code === "denied" ? 403 : error.code === "timeout" ? 504 : 502;
  return { status, reason: error.reason ?? error.code };
}

export function refuseRequest(response: ServerResponse, refusal: Refusal): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const text = toText(refusal);
  response.writeHead(refusal.status, toHeaders(refusal, text));
  response.end(text);
}

export function refuseSocket(socket: Socket, refusal: Refusal): void {
  if (socket.destroyed) return;
  const text = toText(refusal);
  const headers = Object.entries({ ...toHeaders(refusal, text), connection: "close" });
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`;
  socket.on("error", () => socket.destroy());
  socket.end([status, ...lines, "", text].join("\r\n"), () => socket.destroySoon());
}

function toText({ status }: Refusal): string {
  return `${TEXTS.get(status) ?? ""}\n`;
}

function toHeaders({ reason }: Refusal, text: string): Record<string, string> {
  return {
    "content-type": "text/plain; charset=utf-8",
    "content-length": `${Buffer.byteLength(text)}`,
    "cache-control": "no-store",
    [FILTER_HEADER]: reason,
  };
}
