// Names of hosts in one form, lists of them, and the names that mean this machine or its network.

import { ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { parseAddress } from "../address/parse-address.js";

const WILDCARD = "*.";
const IPV6_BYTES = 16;
const TRAILING_DOTS = /\.+$/;
/** What a URL takes for something other than its host. */
const NOT_IN_A_HOST = /[/\\?#@*\s]/;

export interface HostPattern {
  /** In canonical form, without the wildcard. */
  readonly name: string;
  /** Names below it, and not the name itself. */
  readonly isWildcard: boolean;
}

/** Of a URL: without brackets and without the dot at the end. */
export function hostOf(url: URL): string {
  const { hostname } = url;
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return hostname.endsWith(".") ? hostname.replace(TRAILING_DOTS, "") : hostname;
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
