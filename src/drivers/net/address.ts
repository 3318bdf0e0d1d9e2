// Which range an address is in, and which IPv4 address it carries inside.
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { lazy } from "../../lib/lazy.js";

const SIX_TO_FOUR = "2002::/16";
const IPV6_BYTES = 16;
/** Bytes 8 to 11 of an address that tunnels IPv4 inside one site (RFC 5214); byte 8 may be 2. */
const ISATAP_MARK = [0x00, 0x5e, 0xfe];

interface AddressClass {
  readonly range: AddressRange | undefined;
  readonly inner: AddressBytes | undefined;
}

export function classifyAddress(bytes: AddressBytes): AddressClass {
  const range = listRanges().find((candidate) => isWithin(bytes, candidate));
  return { range, inner: readInner(bytes, range) };
}

function readInner(bytes: AddressBytes, range: AddressRange | undefined): AddressBytes | undefined {
  if (range?.name === SIX_TO_FOUR) return bytes.slice(2, 6);
  if (range?.kind === "embedded" || isIsatap(bytes)) return bytes.slice(12);
  return undefined;
}

function isIsatap(bytes: AddressBytes): boolean {
  if (bytes.length !== IPV6_BYTES || (bytes[8] !== 0 && bytes[8] !== 2)) return false;
  return ISATAP_MARK.every((byte, index) => bytes[9 + index] === byte);
}

export type AddressBytes = readonly number[];

const GROUPS = 8;
const DOTTED_TAIL = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/;

/** undefined for what is not an address, and for one with a zone, which only this machine understands. */
export function parseAddress(text: string): AddressBytes | undefined {
  if (text.includes("%")) return undefined;
  const version = isIP(text);
  if (version === 0) return undefined;
  return version === 4 ? parseIpv4(text) : parseIpv6(text);
}

export function showIpv4(bytes: AddressBytes): string {
  return bytes.join(".");
}

function parseIpv4(text: string): AddressBytes {
  return text.split(".").map(Number);
}

function parseIpv6(text: string): AddressBytes {
  const [head = "", tail] = text.replace(DOTTED_TAIL, toGroups).split("::");
  const front = readGroups(head);
  const back = readGroups(tail ?? "");
  const zeros = tail === undefined ? 0 : GROUPS - front.length - back.length;
  const groups = [...front, ...Array.from({ length: zeros }, () => 0), ...back];
  return groups.flatMap((group) => [group >> 8, group & 0xff]);
}

function toGroups(dotted: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split(".").map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

function readGroups(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}

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

interface AddressRange {
  readonly kind: AddressKind;
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

const listRanges: () => readonly AddressRange[] = lazy(() =>
  TABLE.map(([name, kind]) => {
    const [address = "", bits = ""] = name.split("/");
    return { name, kind, prefix: parseAddress(address) ?? [], bits: Number(bits) };
  }),
);

function isWithin(bytes: AddressBytes, { prefix, bits }: AddressRange): boolean {
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

const OWN_KINDS: readonly unknown[] = ["loopback", "unspecified"];

export function isThisMachine(address: string): boolean {
  const bytes = parseAddress(address);
  return bytes !== undefined && isOwn(bytes);
}

function isOwn(bytes: AddressBytes): boolean {
  const { range, inner } = classifyAddress(bytes);
  if (OWN_KINDS.includes(range?.kind)) return true;
  if (inner && isOwn(inner)) return true;
  return isInterfaceAddress(bytes);
}

export function isInterfaceAddress(bytes: AddressBytes): boolean {
  return listInterfaceAddresses().some((own) => own.join() === bytes.join());
}

/** Read each time: networks come and go. */
function listInterfaceAddresses(): readonly AddressBytes[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .map(({ address }) => parseAddress(address))
    .filter((bytes) => bytes !== undefined);
}
