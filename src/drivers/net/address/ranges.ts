// The address ranges that do not belong to the public internet. What is first counts.

import { lazy } from "../../../lib/lazy.js";
import { type AddressBytes, parseAddress } from "./parse-address.js";

/** `embedded`: an IPv4 address inside an IPv6 one, which leads wherever the inner one leads. */
export type AddressKind =
  | "loopback"
  | "private"
  | "shared"
  | "unique local"
  | "benchmark"
  | "embedded"
  | "cloud metadata"
  | "unspecified"
  | "link-local"
  | "multicast"
  | "documentation"
  | "reserved";

export interface AddressRange {
  readonly kind: AddressKind;
  /** As people write it: `10.0.0.0/8`. */
  readonly name: string;
  readonly prefix: AddressBytes;
  readonly bits: number;
}

const TABLE: ReadonlyArray<readonly [name: string, kind: AddressKind]> = [
  // The services by which clouds hand credentials to their machines.
  ["169.254.169.254/32", "cloud metadata"],
  ["100.100.100.200/32", "cloud metadata"],
  ["168.63.129.16/32", "cloud metadata"],
  ["fd00:ec2::254/128", "cloud metadata"],
  ["fd00:ec2::23/128", "cloud metadata"],
  ["fd20:ce::254/128", "cloud metadata"],
  ["fd00:c1::a9fe:a9fe/128", "cloud metadata"],
  ["fd00:42::42/128", "cloud metadata"],

  ["0.0.0.0/8", "unspecified"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "shared"],
  ["127.0.0.0/8", "loopback"],
  ["169.254.0.0/16", "link-local"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "reserved"],
  ["192.0.2.0/24", "documentation"],
  ["192.88.99.0/24", "reserved"],
  ["192.168.0.0/16", "private"],
  ["198.18.0.0/15", "benchmark"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved"],

  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["::ffff:0:0/96", "embedded"],
  ["::/96", "embedded"],
  ["::ffff:0:0:0/96", "embedded"],
  ["64:ff9b::/96", "embedded"],
  ["64:ff9b:1::/48", "reserved"],
  ["100::/64", "reserved"],
  ["2001::/23", "reserved"],
  ["2001:db8::/32", "documentation"],
  ["2002::/16", "embedded"],
  ["3fff::/20", "documentation"],
  ["5f00::/16", "reserved"],
  ["fc00::/7", "unique local"],
  ["fe80::/10", "link-local"],
  ["fec0::/10", "reserved"],
  ["ff00::/8", "multicast"],
];

export const listRanges: () => readonly AddressRange[] = lazy(() =>
  TABLE.map(([name, kind]) => {
    const [address = "", bits = ""] = name.split("/");
    return { name, kind, prefix: parseAddress(address) ?? [], bits: Number(bits) };
  }),
);

export function isWithin(bytes: AddressBytes, { prefix, bits }: AddressRange): boolean {
  if (bytes.length !== prefix.length) return false;
  const whole = bits >> 3;
  for (let at = 0; at < whole; at++) {
    if (bytes[at] !== prefix[at]) return false;
  }
  const rest = bits & 7;
  if (rest === 0) return true;
  const shift = 8 - rest;
  return (bytes[whole] ?? 0) >> shift === (prefix[whole] ?? 0) >> shift;
}
