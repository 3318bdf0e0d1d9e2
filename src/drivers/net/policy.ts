// Whether an address may be connected to: public ones may, others only by a key that opens their kind.
import { type AddressPolicy, ToolInputError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import {
  type AddressBytes,
  type AddressKind,
  classifyAddress,
  isInterfaceAddress,
  parseAddress,
  showIpv4,
} from "./address.js";
import { addressRefused } from "./errors.js";

type PolicyKey = keyof AddressPolicy;

/** The keys that open a kind, the narrowest first. What has none is never reached. */
const OPENERS = {
  loopback: ["allowedHostnames", "dangerouslyAllowPrivateNetwork"],
  private: ["allowedHostnames", "dangerouslyAllowPrivateNetwork"],
  shared: ["allowedHostnames", "dangerouslyAllowPrivateNetwork"],
  "unique local": [
    "allowedHostnames",
    "allowIpv6UniqueLocalRange",
    "dangerouslyAllowPrivateNetwork",
  ],
  benchmark: ["allowedHostnames", "allowRfc2544BenchmarkRange", "dangerouslyAllowPrivateNetwork"],
  embedded: ["dangerouslyAllowPrivateNetwork"],
  "cloud metadata": [],
  unspecified: [],
  "link-local": [],
  multicast: [],
  documentation: [],
  reserved: [],
} as const satisfies Record<AddressKind, readonly PolicyKey[]>;

/** Services of this machine listen there too, so it counts as loopback. */
const OWN_INTERFACE = { kind: "loopback", name: "an address of this machine" } as const;

export interface AddressCase {
  readonly host: string;
  readonly isAllowed: boolean;
  readonly policy: AddressPolicy;
  readonly policyKey: string;
}

export function judgeAddress(address: string, asked: AddressCase): void {
  const bytes = parseAddress(address);
  if (!bytes) {
    const { host, policyKey } = asked;
    throw addressRefused({ host, address, what: "cannot be judged", keys: [], policyKey });
  }
  judgeBytes({ bytes, address, asked });
}

function judgeBytes(request: {
  readonly bytes: AddressBytes;
  readonly address: string;
  readonly asked: AddressCase;
}): void {
  const { bytes, address, asked } = request;
  const { range, inner } = classifyAddress(bytes);
  const { host, policyKey } = asked;
  const own = isInterfaceAddress(bytes) ? [OWN_INTERFACE] : [];
  for (const { kind, name } of [...(range ? [range] : []), ...own]) {
    const keys = OPENERS[kind];
    if (keys.some((key) => opens({ key, kind, asked }))) continue;
    const what = `is ${kind} (${name})`;
    throw addressRefused({ host, address, what, keys, policyKey, hint: hintFor(kind) });
  }
  // What is inside an open range counts as itself: a tunnel to the metadata service stays closed.
  if (inner) judgeBytes({ bytes: inner, address: `${address} (${showIpv4(inner)})`, asked });
}

function opens(request: {
  readonly key: PolicyKey;
  readonly kind: AddressKind;
  readonly asked: AddressCase;
}): boolean {
  const { key, kind, asked } = request;
  if (key !== "allowedHostnames") return asked.policy[key] === true;
  return asked.isAllowed && (kind !== "loopback" || meansLoopback(asked.host));
}

/** Any name can be made to resolve to this machine; only its own names may. */
function meansLoopback(host: string): boolean {
  return isLoopbackName(host) || parseAddress(host) !== undefined;
}

function hintFor(kind: AddressKind): string | undefined {
  if (kind !== "loopback") return undefined;
  return "for loopback it takes localhost or the address itself, not another name";
}

const WILDCARD = "*.";
const IPV6_BYTES = 16;
const TRAILING_DOTS = /\.+$/;
const NOT_IN_A_HOST = /[/\\?#@*\s]/;

export interface HostPattern {
  readonly name: string;
  readonly isWildcard: boolean;
}

export function hostOf(url: URL): string {
  const { hostname } = url;
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return hostname.endsWith(".") ? hostname.replace(TRAILING_DOTS, "") : hostname;
}

const USUAL_PORTS: ReadonlyMap<string, number> = new Map([
  ["http:", 80],
  ["ws:", 80],
  ["https:", 443],
  ["wss:", 443],
]);

/** undefined for a scheme that has no usual port. */
export function portOf({ port, protocol }: Pick<URL, "port" | "protocol">): number | undefined {
  return port === "" ? USUAL_PORTS.get(protocol) : Number(port);
}

/** `key`: where the list is. Throws for an entry that could never match. */
export function readHostPatterns(key: string, entries: readonly string[]): readonly HostPattern[] {
  return entries.map((entry) => {
    const isWildcard = entry.startsWith(WILDCARD);
    const name = toCanonicalHost(isWildcard ? entry.slice(WILDCARD.length) : entry);
    const isAddress = name !== undefined && parseAddress(name) !== undefined;
    if (name !== undefined && !(isWildcard && isAddress)) return { name, isWildcard };
    throw new ToolInputError(
      `${key}: "${toPrintable(entry)}" is not a valid host; write a name such as "example.com" or "*.example.com", or an address, without scheme, port and path.`,
      { reason: "ssrf_policy_invalid", details: { key } },
    );
  });
}

export function matchesHost(host: string, patterns: readonly HostPattern[]): boolean {
  return patterns.some(({ name, isWildcard }) =>
    isWildcard ? host.endsWith(`.${name}`) && host.length > name.length + 1 : host === name,
  );
}

/** It can only mean this machine, whatever a resolver says (RFC 6761). */
export function isLoopbackName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

function toCanonicalHost(text: string): string | undefined {
  if (NOT_IN_A_HOST.test(text)) return undefined;
  const isIpv6 = parseAddress(text)?.length === IPV6_BYTES;
  const isBracketed = text.startsWith("[") && text.endsWith("]");
  if (text.includes(":") && !isIpv6 && !isBracketed) return undefined;
  const address = `http://${isIpv6 ? `[${text}]` : text}/`;
  if (!URL.canParse(address)) return undefined;
  const host = hostOf(new URL(address));
  return host === "" ? undefined : host;
}

const DEFAULT_POLICY_KEY = "tools.net.ssrfPolicy";

export interface AddressRules {
  readonly key: string;
  readonly policy: AddressPolicy;
  readonly allowed: readonly HostPattern[];
  readonly blocked: readonly HostPattern[];
  readonly only: readonly HostPattern[] | undefined;
}

export function readRules(policy: AddressPolicy, policyKey = DEFAULT_POLICY_KEY): AddressRules {
  const { allowedHostnames = [], blockedHostnames = [], hostnameAllowlist } = policy;
  const read = (key: keyof AddressPolicy, entries: readonly string[]) =>
    readHostPatterns(`${policyKey}.${key}`, entries);
  return {
    key: policyKey,
    policy,
    allowed: read("allowedHostnames", allowedHostnames),
    blocked: read("blockedHostnames", blockedHostnames),
    only: hostnameAllowlist && read("hostnameAllowlist", hostnameAllowlist),
  };
}

export function alsoAllow(rules: AddressRules, hostnames: readonly string[]): AddressRules {
  if (hostnames.length === 0) return rules;
  const more = readHostPatterns("alsoAllowedHostnames", hostnames);
  return { ...rules, allowed: [...rules.allowed, ...more] };
}
